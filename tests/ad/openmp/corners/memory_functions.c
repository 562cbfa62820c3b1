// memcpy, memset and qsort by threads on their own parts.
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    double a[64], b[64], s = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        int lo = n * me / all, hi = n * (me + 1) / all;
        memset(a + lo, 0, (hi - lo) * sizeof *a);
        memcpy(b + lo, x + lo, (hi - lo) * sizeof *b);
#pragma omp barrier
        for (int i = lo; i < hi; i++)
            a[i] += b[n - 1 - i] * x[i];
    }
    for (int i = 0; i < n; i++)
        s += a[i] * a[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 23); }
