/* chunk sizes that only the run knows, and a schedule chosen by the program */
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    int chunk = n / 5 + 1;
    double acc = 0, w[64];
    omp_set_schedule(n % 2 ? omp_sched_static : omp_sched_guided, chunk);
    #pragma omp parallel
    {
        #pragma omp for schedule(static, chunk)
        for (int i = 0; i < n; ++i) w[i] = x[i] * x[i] * x[i];
        #pragma omp for schedule(dynamic, chunk + 1)
        for (int i = 0; i < n; ++i) w[i] += x[(7 * i) % n];
        #pragma omp for schedule(runtime) reduction(+:acc)
        for (int i = 0; i < n; ++i) acc += w[i] * log(1 + w[n - i - 1]);
    }
    return acc;
}
GRADIENT(f)
int main(void) { return CHECK(f, 1) | CHECK(f, 4) | CHECK(f, 29) | CHECK(f, 64); }
