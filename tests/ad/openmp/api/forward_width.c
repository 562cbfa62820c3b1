// Several directions at once through a parallel loop.
#include <math.h>
#include <stdio.h>
typedef struct { double d[3]; } three;
three __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const, enzyme_width;
#define N 16
static double f(const double *x, int n)
{
    double s = 0, y[N];
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = x[i] * x[(i + 1) % n];
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += sin(y[i]) * x[0];
    }
    return s;
}
int main(void)
{
    double x[N], d[3][N], b[N] = {0};
    int bad = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.2 * i - 1;
        for (int k = 0; k < 3; k++)
            d[k][i] = cos(i + 2.0 * k);
    }
    three t = __enzyme_fwddiff((void *)f, enzyme_width, 3, enzyme_dup, x, d[0], d[1], d[2], enzyme_const, N);
    __enzyme_autodiff((void *)f, enzyme_dup, x, b, enzyme_const, N);
    for (int k = 0; k < 3; k++) {
        double want = 0;
        for (int i = 0; i < N; i++)
            want += b[i] * d[k][i];
        if (!(fabs(t.d[k] - want) < 1e-10)) {
            printf("direction %d: %g, not %g\n", k, t.d[k], want);
            bad = 1;
        }
    }
    return bad;
}
