// Loops without a barrier between them: independent ones, and ones that the same static partition makes dependent only within a thread.
#include "../../check.h"
static double independent(double *x, int n)
{
    double a[64], b[64], s = 0;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            a[i] = x[i] * x[0];
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < n; i++)
            b[i] = sin(x[i]) * x[0];
#pragma omp barrier
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += a[i] * b[n - 1 - i];
    }
    return s;
}
static double chained(double *x, int n)
{
    double a[64], s = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            a[i] = x[i] * x[i];
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            a[i] = exp(-a[i]) + x[i];
#pragma omp for schedule(static) reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += a[i] * a[i];
    }
    return s;
}
/* Both loops read the same array: in reverse both add to the same shadow, without a barrier between them. */
static double both_read(double *x, int n)
{
    double a[64], b[64], s = 0;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            a[i] = x[i] * 3;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            b[i] = x[n - 1 - i] * x[i];
    }
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
GRADIENT(independent)
GRADIENT(chained)
GRADIENT(both_read)
int main(void) { return CHECK(independent, 33) | CHECK(chained, 30) | CHECK(both_read, 37); }
