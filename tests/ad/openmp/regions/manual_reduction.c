// Partial results in an array by thread number: padded, allocated, and on the stack.
#include "../../check.h"
#include <omp.h>
#define PAD 8
static double padded(double *x, int n)
{
    int most = omp_get_max_threads();
    double *part = calloc((size_t)most * PAD, sizeof *part), s = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; i++)
            part[me * PAD] += x[i] * x[i] * x[i];
    }
    for (int t = 0; t < most; t++)
        s += part[t * PAD];
    free(part);
    return s * s;
}
static double stacked(double *x, int n)
{
    double part[128] = {0}, s = 0;
    int used = 1;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        double sum = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            sum += sin(x[i]) * x[0];
        part[me] = sum;
#pragma omp barrier
#pragma omp single
        {
            used = omp_get_num_threads();
            for (int t = 0; t < used; t++)
                s += part[t];
        }
    }
    return s;
}
/* As trees: pairs of threads meet at barriers. */
static double tree(double *x, int n)
{
    double part[128] = {0};
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all)
            part[me] += x[i] * x[(i + 1) % n];
        for (int stride = 1; stride < all; stride *= 2) {
#pragma omp barrier
            if (me % (2 * stride) == 0 && me + stride < all)
                part[me] += part[me + stride];
        }
    }
    return exp(0.1 * part[0]);
}
GRADIENT(padded)
GRADIENT(stacked)
GRADIENT(tree)
int main(void) { return CHECK(padded, 22) | CHECK(stacked, 17) | CHECK(tree, 31); }
