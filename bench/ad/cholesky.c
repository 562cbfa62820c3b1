// size: 96
// The logarithm of the determinant of a positive definite matrix, by its Cholesky factor, in place.
#include "gradient.h"

static double log_determinant(const double *matrix, double *a, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        a[i] = matrix[i];
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
        double pivot = sqrt(a[j * n + j]);
        for (int i = j; i < n; i++)
            a[i * n + j] /= pivot;
    }
    for (int i = 0; i < n; i++)
        sum += 2 * log(a[i * n + i]);
    return sum;
}

static struct array matrix;
static double *work, *work_bar;
static int n;
static void setup(int size)
{
    n = size;
    matrix = variables((size_t)(n * n), -0.1, 0.1);
    for (int i = 0; i < n; i++)
        matrix.x[i * n + i] += n;
    work = data((size_t)(n * n), 0, 0);
    work_bar = data((size_t)(n * n), 0, 0);
}
static double objective(void) { return log_determinant(matrix.x, work, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)log_determinant, enzyme_dup, matrix.x, matrix.bar, enzyme_dup, work, work_bar, enzyme_const, n); }
