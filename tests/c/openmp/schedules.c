// flags: -fopenmp
// Every schedule kind gives the same result.
#include "../check.h"

#define N 500
static long out[N];

static long work(int n)
{
    long s = 0;
    for (int i = 0; i <= n; i++)
        s += i * i % 7;
    return s;
}
static long total(void)
{
    long t = 0;
    for (int i = 0; i < N; i++) {
        t = t * 3 % 1000003 + out[i];
        out[i] = 0;
    }
    return t;
}

int main(void)
{
    long results[6];
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        out[i] = work(i);
    results[0] = total();
#pragma omp parallel for schedule(static, 7)
    for (int i = 0; i < N; i++)
        out[i] = work(i);
    results[1] = total();
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
        out[i] = work(i);
    results[2] = total();
    int chunk = 5;
#pragma omp parallel for schedule(dynamic, chunk)
    for (int i = 0; i < N; i++)
        out[i] = work(i);
    results[3] = total();
#pragma omp parallel for schedule(guided, 4)
    for (int i = 0; i < N; i++)
        out[i] = work(i);
    results[4] = total();
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < N; i++)
        out[i] = work(i);
    results[5] = total();
    for (int k = 1; k < 6; k++)
        CHECK(results[k] == results[0]);
    printf("%ld\n", results[0]);
    return check_done();
}
