/* A workspace allocated lazily in a global and reused by later calls; a context that owns scratch memory. */
// needs: inline
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double *workspace;
static int workspace_size;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double *scratch(int n)
{
    if (n > workspace_size) {
        free(workspace);
        workspace = malloc(n * sizeof *workspace);
        workspace_size = n;
    }
    return workspace;
}

static double smooth_energy(const double *x, int n)
{
    double *t = scratch(n), s = 0;
    for (int i = 0; i < n; i++)
        t[i] = x[i] * x[(i + 1) % n];
    for (int i = 0; i < n; i++)
        s += t[i] * t[i] + sin(t[(i + 2) % n]);
    return s;
}

int main(void)
{
    double x[8];
    for (int i = 0; i < 8; i++)
        x[i] = 0.4 + 0.1 * i;
    for (int n = 3; n <= 8; n += 5)
        for (int round = 0; round < 2; round++) {
            double g[8] = {0};
            __enzyme_autodiff((void *)smooth_energy, enzyme_dup, x, g, enzyme_const, n);
            for (int i = 0; i < n; i++) {
                double k = x[i];
                x[i] = k + 1e-6;
                double a = smooth_energy(x, n);
                x[i] = k - 1e-6;
                double b = smooth_energy(x, n);
                x[i] = k;
                if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
                    printf("n = %d, round %d, x[%d]: %g vs %g\n", n, round, i, g[i], (a - b) / 2e-6);
                    return 1;
                }
            }
        }
    free(workspace);
    return 0;
}
