// Lines of arrays at file scope that threads update in place, in both directions: the gradient against differences, and afterwards memory is what the function leaves.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { N = 14 };
static double u[N][N], d[N][N];

static double sweeps(int times, const double *x, const double *c)
{
    double s = 0.0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                u[i][j] = x[i * N + j];
                d[i][j] = 1.0 + x[i * N + j] * x[i * N + j];
            }
        for (int t = 0; t < times; t++) {
#pragma omp for
            for (int i = 0; i < N; i++) {
                for (int j = 1; j < N; j++) {
                    d[i][j] = d[i][j] + 0.1 * sin(d[i][j - 1] * u[i][j]) * c[j];
                    u[i][j] = (u[i][j] + 0.3 * u[i][j - 1]) / d[i][j];
                }
                for (int j = N - 2; j >= 0; j--)
                    u[i][j] -= 0.2 * u[i][j + 1] * u[i][j];
            }
#pragma omp for
            for (int j = 0; j < N; j++)
                for (int i = 1; i < N; i++)
                    u[i][j] = sin(u[i][j] + 0.3 * u[i - 1][j] * d[i][j]);
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                s += u[i][j] * u[i][j] * (i + 1) + d[i][j];
    }
    return s;
}

int main(void)
{
    static double x[N * N], xb[N * N], c[N], cb[N], left[2][2][N][N];
    for (int i = 0; i < N * N; i++)
        x[i] = sin(1.0 + 2.3 * i);
    for (int j = 0; j < N; j++)
        c[j] = cos(1.0 + j);
    sweeps(4, x, c);
    memcpy(left[0][0], u, sizeof u);
    memcpy(left[0][1], d, sizeof d);
    __enzyme_autodiff((void *)sweeps, enzyme_const, 4, enzyme_dup, x, xb, enzyme_dup, c, cb);
    memcpy(left[1][0], u, sizeof u);
    memcpy(left[1][1], d, sizeof d);
    int same = memcmp(left[0], left[1], sizeof left[0]) == 0;
    double worst = 0.0;
    for (int k = 0; k < N * N + N; k++) {
        double *at = k < N * N ? &x[k] : &c[k - N * N], exact = k < N * N ? xb[k] : cb[k - N * N], h = 1e-5, old = *at, value[2];
        for (int side = 0; side < 2; side++) {
            *at = old + (side ? -h : h);
            value[side] = sweeps(4, x, c);
        }
        *at = old;
        double error = fabs((value[0] - value[1]) / (2 * h) - exact) / (1.0 + fabs(exact));
        if (!(error <= worst))
            worst = error;
    }
    if (!same || !(worst < 1e-6)) {
        printf("%s, error %g\n", same ? "same" : "not what the function leaves", worst);
        return 1;
    }
    printf("ok\n");
    return 0;
}
