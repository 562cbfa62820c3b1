// size: 4000
// Energy of all pairs i < j, with a guided schedule.
#include "../ad/gradient.h"
static double pairs(const double *x, const double *y, const double *q, int n)
{
    double e = 0.0;
#pragma omp parallel for schedule(guided) reduction(+ : e)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j];
            e += q[i] * q[j] / sqrt(dx * dx + dy * dy + 0.01);
        }
    return e;
}
static struct array x, y, q;
static int n;
static void setup(int size)
{
    n = size;
    x = variables((size_t)n, -1, 1);
    y = variables((size_t)n, -1, 1);
    q = variables((size_t)n, 0.5, 1);
}
static double objective(void) { return pairs(x.x, y.x, q.x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)pairs, enzyme_dup, x.x, x.bar, enzyme_dup, y.x, y.bar, enzyme_dup, q.x, q.bar, enzyme_const, n); }
