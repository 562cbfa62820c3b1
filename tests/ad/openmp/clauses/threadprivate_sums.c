// A private accumulator per thread that lives across two regions, collected at the end.
#include "../../check.h"
static double partial;
#pragma omp threadprivate(partial)
static double f(double *x, int n)
{
    double total = 0;
#pragma omp parallel
    {
        partial = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            partial += x[i] * x[i];
    }
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            partial += sin(x[i]) * x[0];
#pragma omp critical
        total += partial;
    }
    return total * total;
}
GRADIENT(f)
int main(void) { return CHECK(f, 21); }
