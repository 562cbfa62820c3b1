// flags: -fopenmp
// single, master, copyprivate, barriers and nowait.
#include "../check.h"

int main(void)
{
    int once = 0, by_master = 0, wrong = 0, data[64], result[64];
#pragma omp parallel
    {
        int seed;
#pragma omp single
        once++;
#pragma omp master
        by_master++;
#pragma omp barrier
#pragma omp single copyprivate(seed)
        seed = 17;
        if (seed != 17) {
#pragma omp atomic
            wrong++;
        }
#pragma omp for
        for (int i = 0; i < 64; i++)
            data[i] = i * seed;
#pragma omp for nowait
        for (int i = 0; i < 64; i++)
            result[i] = data[63 - i];
#pragma omp single nowait
        once += 10;
    }
    CHECK(once == 11 && by_master == 1 && wrong == 0);
    for (int i = 0; i < 64; i++)
        CHECK(result[i] == (63 - i) * 17);
    printf("%d %d\n", once, result[5]);
    return check_done();
}
