/* Results allocated by the callee and handed out through double**; ownership passed between functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);

static int linspace(double a, double b, int n, double **out)
{
    double *v = malloc(n * sizeof *v);
    if (!v)
        return -1;
    for (int i = 0; i < n; i++)
        v[i] = a + (b - a) * i / (n - 1);
    *out = v;
    return n;
}

static double *map(double *v, int n, double p)
{
    double *w = calloc(n, sizeof *w);
    for (int i = 0; i < n; i++)
        w[i] = exp(-p * v[i] * v[i]);
    free(v);
    return w;
}

static double *dup_array(const double *v, int n) { return memcpy(malloc(n * sizeof *v), v, n * sizeof *v); }

double integral(const double *p)
{
    double *grid = NULL, s = 0;
    int n = linspace(p[0], p[1], 11, &grid);
    if (n < 0)
        return -1;
    double *copy = dup_array(grid, n), *f = map(grid, n, p[2]);
    for (int i = 0; i + 1 < n; i++)
        s += 0.5 * (f[i] + f[i + 1]) * (copy[i + 1] - copy[i]);
    free(f);
    free(copy);
    return s;
}

int main(void)
{
    double p[3] = {-0.5, 1.5, 0.8}, g[3] = {0};
    __enzyme_autodiff((void *)integral, p, g);
    for (int i = 0; i < 3; i++) {
        double k = p[i];
        p[i] = k + 1e-6;
        double a = integral(p);
        p[i] = k - 1e-6;
        double b = integral(p);
        p[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("p[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
