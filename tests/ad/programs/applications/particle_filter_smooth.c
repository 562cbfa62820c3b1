/* A smoothed particle filter: inline random numbers, systematic resampling by cumulative sums, log likelihood gradient. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define P 20
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static uint32_t lcg(uint32_t *s) { return *s = *s * 1664525u + 1013904223u; }
static double uniform(uint32_t *s) { return (lcg(s) >> 8) / 16777216.0; }
static double gauss(uint32_t *s)
{
    double r = 0;
    for (int i = 0; i < 12; i++)
        r += uniform(s);
    return r - 6;
}

double log_likelihood(const double *theta, const double *obs, int n)
{
    uint32_t seed = 7;
    double x[P], w[P], fresh[P], ll = 0;
    for (int p = 0; p < P; p++)
        x[p] = gauss(&seed);
    for (int t = 0; t < n; t++) {
        double sum = 0;
        for (int p = 0; p < P; p++) {
            x[p] = theta[0] * x[p] + theta[1] * gauss(&seed);
            double e = (obs[t] - x[p]) / theta[2];
            w[p] = exp(-0.5 * e * e) / theta[2];
            sum += w[p];
        }
        ll += log(sum / P);
        double u = uniform(&seed) / P, c = 0;
        int q = 0;
        for (int p = 0; p < P; p++) {
            while (q < P - 1 && c + w[q] / sum < u + (double)p / P)
                c += w[q++] / sum;
            fresh[p] = x[q];
        }
        for (int p = 0; p < P; p++)
            x[p] = fresh[p];
    }
    return ll;
}

int main(void)
{
    double obs[8], theta[3] = {0.9, 0.5, 0.7}, g[3] = {0};
    for (int i = 0; i < 8; i++)
        obs[i] = sin(0.8 * i);
    __enzyme_autodiff((void *)log_likelihood, enzyme_dup, theta, g, enzyme_const, obs, enzyme_const, 8);
    for (int i = 0; i < 3; i++) {
        double k = theta[i];
        theta[i] = k + 1e-7;
        double a = log_likelihood(theta, obs, 8);
        theta[i] = k - 1e-7;
        double b = log_likelihood(theta, obs, 8);
        theta[i] = k;
        double fd = (a - b) / 2e-7;
        if (!(fabs(fd - g[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("theta[%d]: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
