// size: 600
// Gaussian elimination in an array of rows, then back substitution.
#include "../ad/gradient.h"
static double solve(const double *m, const double *b, int n)
{
    double **a = malloc(sizeof(double *) * (size_t)n), *x = malloc(sizeof(double) * (size_t)n), sum = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] = malloc(sizeof(double) * (size_t)(n + 1));
        for (int j = 0; j < n; j++)
            a[i][j] = m[i * n + j];
        a[i][n] = b[i];
    }
    for (int k = 0; k < n - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j <= n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = a[i][n];
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
        sum += x[i] * x[i];
    }
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    free(x);
    return sum;
}
static struct array m, b;
static int n;
static void setup(int size)
{
    n = size;
    m = variables((size_t)(n * n), -1, 1);
    b = variables((size_t)n, -1, 1);
    for (int i = 0; i < n; i++)
        m.x[i * n + i] += n;
}
static double objective(void) { return solve(m.x, b.x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)solve, enzyme_dup, m.x, m.bar, enzyme_dup, b.x, b.bar, enzyme_const, n); }
