/* Recursive V-cycle for the one-dimensional Poisson problem, heap arrays per level. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

static void smooth(double *u, const double *f, int n, double h, int times)
{
    for (int t = 0; t < times; t++)
        for (int i = 1; i < n; i++)
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i]);
}

static void vcycle(double *u, const double *f, int n, double h)
{
    if (n == 2) {
        u[1] = 0.5 * (u[0] + u[2] + h * h * f[1]);
        return;
    }
    smooth(u, f, n, h, 2);
    int half = n / 2;
    double *r = calloc(half + 1, sizeof *r);
    double *e = calloc(half + 1, sizeof *e);
    for (int i = 1; i < half; i++) {
        int k = 2 * i;
        double res[3];
        for (int d = -1; d <= 1; d++)
            res[d + 1] = f[k + d] - (-u[k + d - 1] + 2 * u[k + d] - u[k + d + 1]) / (h * h);
        r[i] = 0.25 * (res[0] + 2 * res[1] + res[2]);
    }
    vcycle(e, r, half, 2 * h);
    for (int i = 1; i < n; i++)
        u[i] += i % 2 == 0 ? e[i / 2] : 0.5 * (e[i / 2] + e[i / 2 + 1]);
    smooth(u, f, n, h, 2);
    free(r);
    free(e);
}

double solve(const double *f, int n)
{
    double *u = calloc(n + 1, sizeof *u);
    for (int cycle = 0; cycle < 3; cycle++)
        vcycle(u, f, n, 1.0 / n);
    double s = 0;
    for (int i = 0; i <= n; i++)
        s += u[i] * (i + 1) + u[i] * u[i];
    free(u);
    return s;
}

int main(void)
{
    double f[17], g[17] = {0};
    for (int i = 0; i < 17; i++)
        f[i] = cos(i) + 1.5;
    __enzyme_autodiff((void *)solve, enzyme_dup, f, g, enzyme_const, 16);
    for (int i = 0; i < 17; i++) {
        double k = f[i];
        f[i] = k + 1e-4;
        double p = solve(f, 16);
        f[i] = k - 1e-4;
        double m = solve(f, 16);
        f[i] = k;
        if (!(fabs(g[i] - (p - m) / 2e-4) < 1e-7)) {
            printf("f[%d]: %.9g vs %.9g\n", i, g[i], (p - m) / 2e-4);
            return 1;
        }
    }
    return 0;
}
