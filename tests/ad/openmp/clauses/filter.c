// compilers: gcc
// Who runs a `masked` is each thread's own question, in combined constructs as well.
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    double sum = 0;
#pragma omp parallel masked num_threads(4) filter(omp_get_num_threads() - 1)
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
#pragma omp parallel masked taskloop filter(1) num_threads(2) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += sin(x[i]);
    // No thread has the number after its own.
#pragma omp parallel masked num_threads(2) filter(omp_get_thread_num() + 1)
    x[0] += 1;
    return sum * x[0];
}
GRADIENT(f)
int main(void)
{
    return CHECK(f, 11);
}
