// flags: -fopenmp
// taskloop with grainsize and num_tasks.
#include "../check.h"

#define N 240
static int v[N];

int main(void)
{
    long total = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(16)
        for (int i = 0; i < N; i++)
            v[i] = i % 13;
#pragma omp taskloop num_tasks(5)
        for (int i = 0; i < N; i++)
            v[i] *= 2;
    }
    for (int i = 0; i < N; i++) {
        CHECK(v[i] == i % 13 * 2);
        total += v[i];
    }
    printf("%ld\n", total);
    return check_done();
}
