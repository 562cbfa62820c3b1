/* bounds computed from the thread's number, as codes do that do not trust the runtime's schedule */
#include "../../check.h"
#include <omp.h>
static void range(int n, int *from, int *to)
{
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    int each = (n + all - 1) / all;
    *from = me * each < n ? me * each : n;
    *to = *from + each < n ? *from + each : n;
}
static double f(double *x, int n)
{
    double y[64], s = 0;
    #pragma omp parallel
    {
        int from, to;
        range(n, &from, &to);
        for (int i = from; i < to; ++i) y[i] = x[i] * x[0] + cos(x[i]);
    }
    #pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        long lo = (long)n * me / all, hi = (long)n * (me + 1) / all;
        double mine = 0;
        for (long i = lo; i < hi; ++i) mine += y[i] * y[(i + 1) % n];
        #pragma omp atomic
        s += mine;
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 3) | CHECK(f, 25); }
