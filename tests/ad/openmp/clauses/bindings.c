// Clauses that say where threads run change nothing.
#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0;
#pragma omp parallel for proc_bind(close) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i] * x[0];
#pragma omp parallel proc_bind(spread) num_threads(2)
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += cos(x[i]);
#pragma omp parallel proc_bind(master)
    {
#pragma omp flush
#pragma omp for reduction(+ : s) order(concurrent)
        for (int i = 0; i < n; i++)
            s += exp(-x[i]);
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 22); }
