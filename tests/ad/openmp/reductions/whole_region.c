// The reduction belongs to the region, not to a loop.
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    double s = 0, p = 1;
#pragma omp parallel reduction(+ : s) reduction(* : p)
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            s += x[i] * x[i];
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < n; i++)
            p *= 1 + 0.1 * x[i];
        if (omp_get_thread_num() == 0)
            s += x[0];
    }
    return s * p;
}
static double strided(double *x, int n)
{
    double s = x[n - 1];
#pragma omp parallel reduction(+ : s)
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all)
            s += sin(x[i]) * x[(i + 1) % n];
    }
    return s;
}
GRADIENT(f)
GRADIENT(strided)
int main(void) { return CHECK(f, 18) | CHECK(strided, 33); }
