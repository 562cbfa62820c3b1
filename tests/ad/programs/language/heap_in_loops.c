/* malloc and free inside loops, of data-dependent sizes; arrays that survive one iteration; calloc of pointers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

double churn(const double *x, int n)
{
    double *kept = NULL, total = 0;
    for (int i = 1; i < n; i++) {
        double *w = malloc(i * sizeof *w);
        for (int j = 0; j < i; j++)
            w[j] = x[j] * x[i];
        if (kept) {
            total += kept[0] * w[i - 1];
            free(kept);
        }
        kept = w;
        if (x[i] < 0) {
            double **rows = calloc(2, sizeof *rows);
            rows[0] = malloc(sizeof(double));
            rows[1] = kept;
            *rows[0] = sin(rows[1][0]);
            total += *rows[0];
            free(rows[0]);
            free(rows);
        }
    }
    total *= kept[n - 2];
    free(kept);
    return total;
}

int main(void)
{
    double x[7] = {0.6, -0.8, 1.2, 0.3, -1.1, 0.9, 1.4}, g[7] = {0};
    __enzyme_autodiff((void *)churn, x, g, 7);
    for (int i = 0; i < 7; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = churn(x, 7);
        x[i] = k - 1e-6;
        double b = churn(x, 7);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
