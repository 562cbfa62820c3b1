// flags: -fopenmp
// collapse over nested loops, with other work between.
#include "../check.h"

#define N 12
#define M 17
static int grid[N][M], cube[4][5][6];

int main(void)
{
    long total = 0;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            grid[i][j] = i * 100 + j;
#pragma omp parallel for collapse(3) reduction(+ : total) schedule(static, 3)
    for (int i = 0; i < 4; i++)
        for (int j = 4; j >= 0; j--)
            for (int k = 0; k < 6; k += 2) {
                cube[i][j][k] = i + j * k;
                total += cube[i][j][k];
            }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            CHECK(grid[i][j] == i * 100 + j);
    CHECK(total == 4 * 5 * 3 * 3 / 2 + 4 * 10 * 6);
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
            grid[i][j] = (i ^ j) & 7;
    long sum = 0;
#pragma omp parallel
    {
#pragma omp for collapse(2) reduction(+ : sum)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                sum += grid[i][j];
    }
    printf("%ld %ld\n", total, sum);
    return check_done();
}
