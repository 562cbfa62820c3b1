#include "../../check.h"
static double f(double *x, int n)
{
    double a = 0, b = 1, m = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
#pragma omp critical(first)
        a += x[i] * x[i];
#pragma omp critical(second)
        b *= 1 + 0.1 * x[i];
#pragma omp critical(third)
        {
            if (x[i] > m)
                m = x[i];
        }
    }
    return a * b + m * m;
}
static double shared_name(double *x, int n)
{
    double s = 0;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
#pragma omp critical(sum)
            s += x[i];
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp critical(sum)
            s += x[i] * x[i];
        }
    }
    return s * s;
}
/* All sections of a name must have the same hint, in the derivative, too. */
static double hinted(double *x, int n)
{
    double s = 0, p = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical(hinted_sum) hint(1 | 4)
        s += x[i] * x[i];
#pragma omp critical(hinted_product) hint(2)
        p *= 1 + 0.1 * x[i];
    }
    return s * p;
}
GRADIENT(f)
GRADIENT(hinted)
GRADIENT(shared_name)
int main(void) { return CHECK(f, 15) | CHECK(hinted, 9) | CHECK(shared_name, 10); }
