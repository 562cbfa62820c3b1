// size: 384
// A naive matrix product, then a loss.
#include "../ad/gradient.h"

static double product(const double *a, const double *b, double *c, int n)
{
    double loss = 0.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
#pragma omp parallel for reduction(+ : loss)
    for (int i = 0; i < n * n; i++)
        loss += c[i] * c[i];
    return loss;
}

static struct array a, b;
static double *c, *c_bar;
static int n;
static void setup(int size)
{
    n = size;
    a = variables((size_t)(n * n), -1, 1);
    b = variables((size_t)(n * n), -1, 1);
    c = data((size_t)(n * n), 0, 0);
    c_bar = data((size_t)(n * n), 0, 0);
}
static double objective(void) { return product(a.x, b.x, c, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)product, enzyme_dup, a.x, a.bar, enzyme_dup, b.x, b.bar, enzyme_dup, c, c_bar, enzyme_const, n); }
