// float, long double and complex sums.
#include <complex.h>
#include <math.h>
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#define N 30
static double f(const double *x, int n)
{
    float narrow = 0;
    long double wide = 1;
    double complex z = 0;
#pragma omp parallel for reduction(+ : narrow) reduction(* : wide) reduction(+ : z)
    for (int i = 0; i < n; i++) {
        narrow += (float)(x[i] * x[i]);
        wide *= 1 + 0.1L * x[i];
        z += cexp(I * x[i]) * (1 + i % 2);
    }
    return narrow + (double)wide + creal(z * conj(z));
}
int main(void)
{
    double x[N], b[N] = {0};
    int bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = 0.5 * sin(i);
    __enzyme_autodiff((void *)f, enzyme_dup, x, b, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double d[N] = {0};
        d[i] = 1;
        double forward = __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, N);
        double complex z = 0;
        long double wide = 1;
        for (int k = 0; k < N; k++) {
            z += cexp(I * x[k]) * (1 + k % 2);
            if (k != i)
                wide *= 1 + 0.1L * x[k];
        }
        double want = 2 * x[i] + (double)(0.1L * wide) + 2 * creal(conj(z) * I * cexp(I * x[i]) * (1 + i % 2));
        if (!(fabs(b[i] - want) < 1e-4) || !(fabs(forward - want) < 1e-4)) {
            printf("d/dx[%d]: reverse %g, forward %g, exactly %g\n", i, b[i], forward, want);
            bad = 1;
        }
    }
    return bad;
}
