// size: 200000
// A vector divided by its norm, where the norm is called in the loop: O(n) once it is hoisted.
#include "gradient.h"

static double norm(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}
static double normalised(const double *restrict x, double *restrict y, int n)
{
    double sum = 0.0, length = norm(x, n);
    for (int i = 0; i < n; i++)
        y[i] = x[i] / length;
    for (int i = 0; i < n; i++)
        sum += y[i] * y[i] * y[i];
    return sum;
}

static struct array x;
static double *y, *y_bar;
static int n;
static void setup(int size)
{
    n = size;
    x = variables((size_t)n, 0.5, 1.5);
    y = data((size_t)n, 0, 0);
    y_bar = data((size_t)n, 0, 0);
}
static double objective(void) { return normalised(x.x, y, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)normalised, enzyme_dup, x.x, x.bar, enzyme_dup, y, y_bar, enzyme_const, n); }
