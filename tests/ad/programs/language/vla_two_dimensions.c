/* Variable-length arrays in two dimensions, a VLA in a loop body, pointers to VLA rows, sizeof of a VLA. */
#include <math.h>
#include <stdio.h>
#include <string.h>

int enzyme_dup;
int enzyme_const;
double __enzyme_autodiff(void *, ...);

static void outer(int n, int m, const double *a, const double *b, double out[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i][j] = a[i] * b[j];
}

double energy(const double *a, int n, const double *b, int m)
{
    double w[n][m];
    outer(n, m, a, b, w);
    double total = 0;
    for (int k = 1; k <= n; k++) {
        double partial[k];
        memset(partial, 0, sizeof partial);
        for (int i = 0; i < k; i++) {
            double(*row)[m] = &w[i];
            for (int j = 0; j < m; j++)
                partial[i] += (*row)[j] * (j + 1);
        }
        for (int i = 0; i < (int)(sizeof partial / sizeof partial[0]); i++)
            total += partial[i] * partial[k - 1 - i];
    }
    return total;
}

int main(void)
{
    double a[4] = {1, -0.5, 0.3, 0.8}, b[3] = {0.2, 0.9, -0.4}, da[4] = {0}, db[3] = {0};
    __enzyme_autodiff((void *)energy, enzyme_dup, a, da, enzyme_const, 4, enzyme_dup, b, db, enzyme_const, 3);
    for (int i = 0; i < 7; i++) {
        double *v = i < 4 ? a + i : b + i - 4, g = i < 4 ? da[i] : db[i - 4], k = *v;
        *v = k + 1e-6;
        double p = energy(a, 4, b, 3);
        *v = k - 1e-6;
        double m = energy(a, 4, b, 3);
        *v = k;
        if (!(fabs(g - (p - m) / 2e-6) < 1e-7)) {
            printf("variable %d: %g vs %g\n", i, g, (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
