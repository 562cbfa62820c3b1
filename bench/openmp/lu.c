// size: 768
// LU decomposition of a matrix with `size` rows, those below the pivot by threads; then a loss.
#include "../ad/gradient.h"
static double decomposed(const double *m, int n)
{
    double *a = malloc(sizeof(double) * (size_t)(n * n)), sum = 0.0;
    memcpy(a, m, sizeof(double) * (size_t)(n * n));
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            a[i * n + k] = f;
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
    for (int i = 0; i < n * n; i++)
        sum += a[i] * a[i];
    free(a);
    return sum;
}
static struct array m;
static int n;
static void setup(int size)
{
    n = size;
    m = variables((size_t)(n * n), -0.03, 0.03);
    for (int i = 0; i < n; i++)
        m.x[i * n + i] += 3;
}
static double objective(void) { return decomposed(m.x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)decomposed, enzyme_dup, m.x, m.bar, enzyme_const, n); }
