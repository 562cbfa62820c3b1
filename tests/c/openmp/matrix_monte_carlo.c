// flags: -fopenmp
// Parallel matrix product, prefix sums by blocks, counter-based random numbers.
#include "../check.h"
#include <stdint.h>

#define N 40
static int a[N][N], b[N][N], c[N][N];
static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp for collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = (int)(mix((uint32_t)(i * N + j)) % 10);
                b[i][j] = (i == j) + (i + j == N - 1);
            }
#pragma omp for
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    c[i][j] += a[i][k] * b[k][j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            CHECK(c[i][j] == a[i][j] + a[i][N - 1 - j]);
    int inside = 0;
#pragma omp parallel for reduction(+ : inside) schedule(guided)
    for (int i = 0; i < 20000; i++) {
        uint64_t x = mix((uint32_t)i * 2u + 1) >> 1, y = mix((uint32_t)i * 2u + 777777u) >> 1;
        inside += x * x + y * y < (1ull << 62);
    }
    CHECK(inside > 15400 && inside < 16000);
    long data[1000], block_sum[11] = {0};
#pragma omp parallel
    {
#pragma omp for
        for (int k = 0; k < 10; k++) {
            long s = 0;
            for (int i = k * 100; i < (k + 1) * 100; i++)
                data[i] = s += i;
            block_sum[k + 1] = s;
        }
#pragma omp single
        for (int k = 0; k < 10; k++)
            block_sum[k + 1] += block_sum[k];
#pragma omp for
        for (int k = 1; k < 10; k++)
            for (int i = k * 100; i < (k + 1) * 100; i++)
                data[i] += block_sum[k];
    }
    for (int i = 0; i < 1000; i++)
        CHECK(data[i] == (long)i * (i + 1) / 2);
    printf("%d %ld\n", inside, data[999]);
    return check_done();
}
