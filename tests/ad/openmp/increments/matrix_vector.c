// All threads read the whole vector.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;

static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

static double f(const double *a, const double *x, double *y, int n, int m)
{
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) { double t = 0; for (int j = 0; j < m; j++) t += a[i * m + j] * x[j] * x[j]; y[i] = t; }
    for (int i = 0; i < n; i++) s += y[i] * y[i];
    return s;
}
int main(void)
{
    int n = 37, m = 23;
    double *a = malloc(n * m * 8), *da = calloc(n * m, 8), *x = malloc(m * 8), *dx = calloc(m, 8), *y = malloc(n * 8), *dy = calloc(n, 8);
    for (int i = 0; i < n * m; i++) a[i] = sin(i);
    for (int i = 0; i < m; i++) x[i] = 1 + 0.1 * cos(i);
    __enzyme_autodiff((void *)f, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n, enzyme_const, m);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) check("da", 0, da[i * m + j], 2 * y[i] * x[j] * x[j]);
    for (int j = 0; j < m; j++) { double w = 0; for (int i = 0; i < n; i++) w += 2 * y[i] * a[i * m + j] * 2 * x[j]; check("dx", 0, dx[j], w); }
    free(a), free(da), free(x), free(dx), free(y), free(dy);
    return failures != 0;
}
