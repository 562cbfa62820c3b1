#include "../../check.h"
static double singles(double *x, int n)
{
    double y[64], z[64], total = 0, scale = 0;
#pragma omp parallel
    {
#pragma omp single
        scale = x[0] * x[1];
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = scale * x[i];
#pragma omp single nowait
        total += y[0] * y[n - 1];
#pragma omp for
        for (int i = 0; i < n; i++)
            z[i] = y[i] * x[i];
#pragma omp single
        {
            for (int i = 0; i < n; i++)
                total += z[i] * z[i];
            total = sqrt(total);
        }
    }
    return total;
}
static double masters(double *x, int n)
{
    double y[64], total = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = sin(x[i]);
#pragma omp master
        for (int i = 1; i < n; i++)
            y[i] += 0.5 * y[i - 1];
#pragma omp barrier
#pragma omp for reduction(+ : total)
        for (int i = 0; i < n; i++)
            total += y[i] * y[n - 1 - i];
    }
    return total;
}
static double maskeds(double *x, int n)
{
    double y[64], total = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = exp(-x[i]);
#pragma omp masked
        total = y[0] * x[n - 1];
#pragma omp barrier
#pragma omp masked filter(0)
        total *= x[2];
    }
    return total;
}
GRADIENT(singles)
GRADIENT(masters)
GRADIENT(maskeds)
int main(void) { return CHECK(singles, 13) | CHECK(masters, 21) | CHECK(maskeds, 8); }
