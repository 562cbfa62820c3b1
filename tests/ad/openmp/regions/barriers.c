// Phases between barriers, each reading what other threads wrote in the one before.
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    double a[64], b[64], s = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all)
            a[i] = x[i] * x[i];
#pragma omp barrier
        for (int i = me; i < n; i += all)
            b[i] = a[(i + 1) % n] * a[(i + n - 1) % n];
#pragma omp barrier
        for (int i = me; i < n; i += all)
            a[i] = sin(b[(i + 3) % n]) + x[0];
#pragma omp barrier
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += a[i] * b[i];
    }
    return s;
}
/* The same buffer is overwritten after the barrier that lets everybody read it. */
static double overwritten(double *x, int n)
{
    double a[64], s = 0;
    memcpy(a, x, n * sizeof *a);
#pragma omp parallel
    {
        for (int k = 0; k < 3; k++) {
            double mine = a[k % n];
#pragma omp barrier
#pragma omp for
            for (int i = 0; i < n; i++)
                a[i] = sin(a[i] + mine);
        }
    }
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
GRADIENT(f)
GRADIENT(overwritten)
int main(void) { return CHECK(f, 19) | CHECK(overwritten, 14); }
