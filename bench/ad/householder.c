// size: 60
// Least squares by Householder reflections: 2 `size` equations in `size` unknowns, and the norm of the residual and of the solution.
#include "gradient.h"

static double least_squares(int m, int n, const double *matrix, const double *right)
{
    double *a = malloc((size_t)(m * n) * sizeof *a), *b = malloc((size_t)m * sizeof *b), *v = malloc((size_t)m * sizeof *v), sum = 0.0;
    for (int i = 0; i < m * n; i++)
        a[i] = matrix[i];
    for (int i = 0; i < m; i++)
        b[i] = right[i];
    for (int k = 0; k < n; k++) {
        double norm = 0.0, length = 0.0;
        for (int i = k; i < m; i++)
            norm += a[i * n + k] * a[i * n + k];
        norm = a[k * n + k] > 0 ? -sqrt(norm) : sqrt(norm);
        for (int i = k; i < m; i++)
            v[i] = a[i * n + k];
        v[k] -= norm;
        for (int i = k; i < m; i++)
            length += v[i] * v[i];
        for (int j = k; j < n; j++) {
            double dot = 0.0;
            for (int i = k; i < m; i++)
                dot += v[i] * a[i * n + j];
            for (int i = k; i < m; i++)
                a[i * n + j] -= 2 * dot / length * v[i];
        }
        double dot = 0.0;
        for (int i = k; i < m; i++)
            dot += v[i] * b[i];
        for (int i = k; i < m; i++)
            b[i] -= 2 * dot / length * v[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    for (int i = 0; i < m; i++)
        sum += b[i] * b[i];
    free(a);
    free(b);
    free(v);
    return sum;
}

static struct array matrix, right;
static int n;
static void setup(int size)
{
    n = size;
    matrix = variables(2 * (size_t)n * (size_t)n, -1, 1);
    right = variables(2 * (size_t)n, -1, 1);
    for (int i = 0; i < n; i++)
        matrix.x[i * n + i] += 4;
}
static double objective(void) { return least_squares(2 * n, n, matrix.x, right.x); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)least_squares, enzyme_const, 2 * n, enzyme_const, n, enzyme_dup, matrix.x, matrix.bar, enzyme_dup, right.x, right.bar);
}
