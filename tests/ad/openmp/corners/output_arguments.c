// Outputs through pointers, seeds in their shadows, written in parallel and partly overwritten.
#include <math.h>
#include <stdio.h>
#define N 21
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;
static void transform(const double *x, double *y, double *z, int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            y[i] = x[i] * z[i];
            z[i] += sin(x[n - 1 - i]);
        }
#pragma omp for
        for (int i = 1; i < n; i += 2)
            y[i] = z[i] * z[i - 1];
    }
}
int main(void)
{
    double x[N], y[N], z[N], xb[N] = {0}, yb[N], zb[N], sy[N], sz[N];
    int bad = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.1 * i - 1;
        z[i] = cos(i);
        sy[i] = yb[i] = sin(2.0 * i);
        sz[i] = zb[i] = 0.3 * i;
    }
    __enzyme_autodiff((void *)transform, enzyme_dup, x, xb, enzyme_dup, y, yb, enzyme_dup, z, zb, enzyme_const, N);
    for (int k = 0; k < 2 * N; k++) {
        double xd[N] = {0}, yd[N] = {0}, zd[N] = {0}, want = 0;
        for (int i = 0; i < N; i++)
            z[i] = cos(i);
        (k < N ? xd : zd)[k % N] = 1;
        __enzyme_fwddiff((void *)transform, enzyme_dup, x, xd, enzyme_dup, y, yd, enzyme_dup, z, zd, enzyme_const, N);
        for (int i = 0; i < N; i++)
            want += yd[i] * sy[i] + zd[i] * sz[i];
        double got = k < N ? xb[k] : zb[k - N];
        if (!(fabs(got - want) < 1e-12 * (1 + fabs(want)))) {
            printf("%c[%d]: %g, not %g\n", k < N ? 'x' : 'z', k % N, got, want);
            bad = 1;
        }
    }
    for (int i = 0; i < N; i++)
        if (yb[i] != 0) {
            printf("the seed of y[%d] is left: %g\n", i, yb[i]);
            bad = 1;
        }
    return bad;
}
