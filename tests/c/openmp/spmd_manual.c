// flags: -fopenmp
// interp: skip threads
// SPMD style: manual work split by thread number, exact integer sums.
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 10000

int main(void)
{
    int limit = omp_get_max_threads();
    long *partial = calloc((size_t)limit * 8, sizeof *partial), total = 0;
    int *v = malloc(N * sizeof *v), used = 0;
    if (!partial || !v)
        return 9;
    for (int i = 0; i < N; i++)
        v[i] = i % 101 - 50;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        int chunk = (N + threads - 1) / threads, first = me * chunk, last = first + chunk < N ? first + chunk : N;
        for (int i = first; i < last; i++)
            partial[me * 8] += v[i];
        if (me == 0)
            used = threads;
#pragma omp barrier
        for (int i = me; i < N; i += threads)
            v[i] = v[i] * 2;
    }
    for (int t = 0; t < used; t++)
        total += partial[t * 8];
    long expected = 0, doubled = 0;
    for (int i = 0; i < N; i++) {
        expected += i % 101 - 50;
        doubled += v[i];
    }
    CHECK(total == expected && doubled == 2 * expected);
    CHECK(omp_get_num_threads() == 1 && omp_in_parallel() == 0);
    printf("%ld %ld\n", total, doubled);
    free(partial);
    free(v);
    return check_done();
}
