// The result depends on the team (a fixed one): its derivative is that of what the team computes, not of a serial reading.
#include "../../check.h"
#include <omp.h>
static double weights(double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            s += (1 + me) * x[i] * x[i];
    }
    return s;
}
static double everyone(double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp atomic
        s += x[0] * x[n - 1];
    }
    return s;
}
static double product(double *x, int n)
{
    double p = 1, parts[2] = {1, 1};
#pragma omp parallel num_threads(2)
    {
        double mine = 0;
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            mine += x[i];
        parts[omp_get_thread_num()] = mine;
    }
    p = parts[0] * parts[1];
    return p;
}
GRADIENT(weights)
GRADIENT(everyone)
GRADIENT(product)
int main(void)
{
    omp_set_dynamic(0);
    return CHECK(weights, 9) | CHECK(everyone, 5) | CHECK(product, 8);
}
