// A stencil in two dimensions, shared out by rows.
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

static double f(const double *restrict u, double *restrict v, int n, int m)
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i * m + j] = u[i * m + j] * u[i * m + j] + 0.2 * (u[(i - 1) * m + j] * u[(i + 1) * m + j] + u[i * m + j - 1] * u[i * m + j + 1]);
    double s = 0;
    for (int i = 0; i < n * m; i++) s += v[i];
    return s;
}
int main(void)
{
    int n = 13, m = 9;
    double u[200], v[200] = {0}, du[200] = {0}, dv[200] = {0};
    for (int i = 0; i < n * m; i++) u[i] = 0.5 + 0.3 * sin(i);
    __enzyme_autodiff((void *)f, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_const, n, enzyme_const, m);
    for (int i = 0; i < n * m; i++) {
        double h = 1e-6, p[200], q[200], w[200] = {0};
        memcpy(p, u, sizeof u); memcpy(q, u, sizeof u); p[i] += h; q[i] -= h;
        check("du", 0, du[i], (f(p, w, n, m) - f(q, w, n, m)) / (2 * h));
    }
    return failures != 0;
}
