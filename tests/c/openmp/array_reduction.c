// flags: -fopenmp
// Reductions over array sections and a histogram.
#include "../check.h"

#define BINS 16
#define N 4000

int main(void)
{
    long histogram[BINS] = {0}, check[BINS] = {0};
    double moments[4] = {0};
#pragma omp parallel for reduction(+ : histogram[:BINS])
    for (int i = 0; i < N; i++)
        histogram[(i * 37 + i / 7) % BINS]++;
    for (int i = 0; i < N; i++)
        check[(i * 37 + i / 7) % BINS]++;
    for (int b = 0; b < BINS; b++)
        CHECK(histogram[b] == check[b]);
    double *m = moments;
#pragma omp parallel for reduction(+ : m[0 : 3])
    for (int i = 0; i < 64; i++) {
        double x = i * 0.5;
        m[0] += 1;
        m[1] += x;
        m[2] += x * x;
    }
    CHECK(moments[0] == 64 && moments[1] == 1008 && moments[2] == 21336 && moments[3] == 0);
    int grid[2][3] = {{0}};
#pragma omp parallel for reduction(max : grid)
    for (int i = 0; i < 600; i++) {
        int *cell = &grid[i % 2][i / 2 % 3], v = i * 71 % 613;
        if (v > *cell)
            *cell = v;
    }
    printf("%ld %ld %.17g %d\n", histogram[0], histogram[15], moments[2], grid[1][2]);
    return check_done();
}
