// flags: -fopenmp
// interp: skip threads
// threadprivate globals with copyin, used by called functions.
#include "../check.h"
#include <omp.h>

static int counter = 0;
static double weights[3] = {1, 2, 3};
#pragma omp threadprivate(counter, weights)

static void work(int n)
{
    for (int i = 0; i < n; i++)
        counter++;
    weights[1] += n;
}

int main(void)
{
    int total = 0, bad = 0, threads = 0;
    weights[0] = 10;
    counter = 5;
#pragma omp parallel copyin(weights, counter) reduction(+ : total, bad, threads)
    {
        int me = omp_get_thread_num();
        work(me + 1);
        bad += counter != 5 + me + 1;
        bad += weights[0] != 10 || weights[1] != 2 + me + 1;
        total += counter - 5 - me;
        threads++;
    }
    CHECK(bad == 0 && total == threads);
    printf("%d\n", bad);
    return check_done();
}
