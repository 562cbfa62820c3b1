// refuses: main
// flags: -fopenmp
// simd, parallel for simd, declare simd, safelen, aligned, linear.
#include "../check.h"

#define N 256
static float a[N], b[N], c[N];

#pragma omp declare simd uniform(k)
static float scaled(float x, float k) { return x * k + 1; }

int main(void)
{
    int total = 0, step = 0;
#pragma omp simd
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(N - i);
    }
#pragma omp parallel for simd schedule(static, 32)
    for (int i = 0; i < N; i++)
        c[i] = a[i] * b[i];
#pragma omp simd reduction(+ : total) linear(step : 2)
    for (int i = 0; i < N; i++) {
        total += step;
        step += 2;
    }
#pragma omp simd safelen(4)
    for (int i = 4; i < N; i++)
        b[i] = b[i - 4] + 1;
#pragma omp parallel for simd
    for (int i = 0; i < N; i++)
        a[i] = scaled(a[i], 2);
    CHECK(total == N * (N - 1) && step == 2 * N);
    for (int i = 0; i < N; i++) {
        CHECK(c[i] == (float)(i * (N - i)));
        CHECK(a[i] == (float)(2 * i + 1));
        CHECK(b[i] == (float)(N - i % 4 + i / 4));
    }
    printf("%d %g %g\n", total, (double)c[100], (double)b[255]);
    return check_done();
}
