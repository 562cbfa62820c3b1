// flags: -fopenmp
// A stencil iterated inside one parallel region with barriers between phases.
#include "../check.h"
#include <string.h>

#define N 66
static int now[N], next[N], serial[N], scratch[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        now[i] = serial[i] = i * i % 31;
#pragma omp parallel
    {
        for (int t = 0; t < 20; t++) {
#pragma omp for
            for (int i = 1; i < N - 1; i++)
                next[i] = (now[i - 1] + 2 * now[i] + now[i + 1] + t) % 1009;
#pragma omp for nowait
            for (int i = 1; i < N - 1; i++)
                now[i] = next[i];
#pragma omp barrier
        }
    }
    for (int t = 0; t < 20; t++) {
        memcpy(scratch, serial, sizeof scratch);
        for (int i = 1; i < N - 1; i++)
            serial[i] = (scratch[i - 1] + 2 * scratch[i] + scratch[i + 1] + t) % 1009;
    }
    CHECK(!memcmp(now, serial, sizeof now));
    printf("%d %d\n", now[10], now[50]);
    return check_done();
}
