/* Greeks of a portfolio */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;
static inline double cdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
static void price(const double *S, const double *K, const double *T, const double *sigma, const double *r, double *call, double *put, int n)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        double sq = sqrt(T[i]), d1 = (log(S[i] / K[i]) + (*r + 0.5 * sigma[i] * sigma[i]) * T[i]) / (sigma[i] * sq), d2 = d1 - sigma[i] * sq;
        double discounted = K[i] * exp(-*r * T[i]);
        call[i] = S[i] * cdf(d1) - discounted * cdf(d2);
        put[i] = discounted * cdf(-d2) - S[i] * cdf(-d1);
    }
}
int main(void)
{
    enum { N = 200 };
    double *m = calloc(12 * N, sizeof *m);
    double *S = m, *K = m + N, *T = m + 2 * N, *sigma = m + 3 * N, *call = m + 4 * N, *put = m + 5 * N;
    double *Sb = m + 6 * N, *Tb = m + 7 * N, *sigmab = m + 8 * N, *callb = m + 9 * N, *putb = m + 10 * N;
    double r = 0.03, rb = 0, rho = 0;
    int bad = 0;
    for (int i = 0; i < N; i++) {
        S[i] = 80 + i * 0.2;
        K[i] = 100 - i * 0.05;
        T[i] = 0.5 + 0.005 * i;
        sigma[i] = 0.2 + 0.001 * i;
        callb[i] = 1;
    }
    __enzyme_autodiff((void *)price, enzyme_dup, S, Sb, enzyme_const, K, enzyme_dup, T, Tb, enzyme_dup, sigma, sigmab, enzyme_dup, &r, &rb,
                      enzyme_dupnoneed, call, callb, enzyme_dupnoneed, put, putb, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double sq = sqrt(T[i]), d1 = (log(S[i] / K[i]) + (r + 0.5 * sigma[i] * sigma[i]) * T[i]) / (sigma[i] * sq), d2 = d1 - sigma[i] * sq;
        double density = exp(-0.5 * d1 * d1) / sqrt(2 * M_PI);
        double delta = cdf(d1), vega = S[i] * density * sq;
        double theta = S[i] * density * sigma[i] / (2 * sq) + r * K[i] * exp(-r * T[i]) * cdf(d2);
        rho += K[i] * T[i] * exp(-r * T[i]) * cdf(d2);
        if (fabs(Sb[i] - delta) > 1e-10 || fabs(sigmab[i] - vega) > 1e-8 || fabs(Tb[i] - theta) > 1e-8) {
            printf("option %d: delta %g %g vega %g %g theta %g %g\n", i, Sb[i], delta, sigmab[i], vega, Tb[i], theta);
            bad = 1;
        }
    }
    if (fabs(rb - rho) > 1e-7 * rho) {
        printf("rho %g %g\n", rb, rho);
        bad = 1;
    }
    free(m);
    return bad;
}
