// Divide and conquer.
#include "../../check.h"
static double sum(const double *x, int n)
{
    double a, b;
    if (n == 1)
        return x[0] * sin(x[0]);
#pragma omp task shared(a)
    a = sum(x, n / 2);
#pragma omp task shared(b)
    b = sum(x + n / 2, n - n / 2);
#pragma omp taskwait
    return a + b + 0.1 * a * b;
}
static double f(double *x, int n)
{
    double s = 0;
#pragma omp parallel
#pragma omp single
    s = sum(x, n);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 13); }
