// The function has a region of its own, and its gradient is asked for inside a region.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#define N 12
#define POINTS 6
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
static double f(const double *x, int n)
{
    double s = 0, y[N];
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = x[i] * x[i] * x[0];
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += y[i] * y[n - 1 - i];
    }
    return s;
}
int main(void)
{
    double x[POINTS][N], g[POINTS][N] = {{0}};
    int bad = 0;
    for (int p = 0; p < POINTS; p++)
        for (int i = 0; i < N; i++)
            x[p][i] = 1 + 0.3 * sin(p + 2.0 * i);
#pragma omp parallel for num_threads(3)
    for (int p = 0; p < POINTS; p++)
        __enzyme_autodiff((void *)f, enzyme_dup, x[p], g[p], enzyme_const, N);
    for (int p = 0; p < POINTS; p++)
        for (int i = 0; i < N; i++) {
            double h = 1e-6, keep = x[p][i];
            x[p][i] = keep + h;
            double up = f(x[p], N);
            x[p][i] = keep - h;
            double numeric = (up - f(x[p], N)) / (2 * h);
            x[p][i] = keep;
            if (!(fabs(g[p][i] - numeric) < 1e-5 * (1 + fabs(numeric)))) {
                printf("%d %d: %g, not %g\n", p, i, g[p][i], numeric);
                bad = 1;
            }
        }
    return bad;
}
