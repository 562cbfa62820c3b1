// size: 100
// A dense linear system of `size` unknowns by elimination with partial pivoting, and the squared norm of its solution.
#include "gradient.h"

static double solved(int n, const double *matrix, const double *right)
{
    double *a = malloc((size_t)(n * n) * sizeof *a), *x = malloc((size_t)n * sizeof *x), sum = 0.0;
    memcpy(a, matrix, (size_t)(n * n) * sizeof *a);
    memcpy(x, right, (size_t)n * sizeof *x);
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
                pivot = i;
        if (pivot != k) {
            for (int j = k; j < n; j++) {
                double other = a[k * n + j];
                a[k * n + j] = a[pivot * n + j];
                a[pivot * n + j] = other;
            }
            double other = x[k];
            x[k] = x[pivot];
            x[pivot] = other;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    free(a);
    free(x);
    return sum;
}

static struct array matrix, right;
static int n;
static void setup(int size)
{
    n = size;
    matrix = variables((size_t)n * (size_t)n, -1, 1);
    right = variables((size_t)n, -1, 1);
    for (int i = 0; i < n; i++)
        matrix.x[i * n + (i * 7 + 3) % n] += n / 4.0;
}
static double objective(void) { return solved(n, matrix.x, right.x); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)solved, enzyme_const, n, enzyme_dup, matrix.x, matrix.bar, enzyme_dup, right.x, right.bar);
}
