#include "../../check.h"
static double f(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(4)
        for (int i = 0; i < n; i++)
            y[i] = exp(-x[i] * x[0]);
#pragma omp taskloop num_tasks(3) shared(y)
        for (int i = 0; i < n; i++)
            y[i] *= x[n - 1 - i];
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double reduced(double *x, int n)
{
    double s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s) grainsize(3)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s * s;
}
GRADIENT(f)
GRADIENT(reduced)
int main(void) { return CHECK(f, 17) | CHECK(reduced, 14); }
