// Calls of the runtime, timers and output in active regions.
#include "../../check.h"
#include <omp.h>
static int reports;
static double f(double *x, int n)
{
    double s = 0, begin = omp_get_wtime();
#pragma omp parallel
    {
        int level = omp_get_level();
        if (omp_get_thread_num() == 0 && omp_in_parallel() >= 0 && omp_get_max_threads() > 0 && omp_get_num_procs() > 0)
            reports = level;
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++) {
            s += x[i] * x[i] * (omp_get_num_threads() > 0);
            if (x[i] > 1e9)
                fprintf(stderr, "x[%d] is %g\n", i, x[i]);
        }
    }
    double spent = omp_get_wtime() - begin;
    if (spent < 0)
        return -1;
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 12); }
