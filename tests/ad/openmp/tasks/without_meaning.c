// What says nothing about numbers: whether iterations run in lanes, objects of dependences.
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    double *y = malloc(n * sizeof *y), sum = 0, product = 1;
    omp_depend_t object;
#pragma omp parallel for simd if (parallel : n > 4) if (simd : n > 2)
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[n - 1 - i];
#pragma omp simd if (simd : n > 3) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += y[i] * x[i];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task depend(mutexinoutset : product)
            product *= 1 + 0.1 * y[i];
        }
#pragma omp depobj(object) depend(inout : product)
#pragma omp task depend(depobj : object) shared(product)
        product *= product;
#pragma omp taskwait
#pragma omp depobj(object) destroy
    }
    free(y);
    return sum * product;
}
GRADIENT(f)
int main(void)
{
    return CHECK(f, 11);
}
