// Workspaces that variables at file scope point to, which each call allocates and frees: the variables still hold the addresses when the next call begins.
#include "../../check.h"
#include <omp.h>
#include <stdlib.h>
static double *work, *sums;
static struct {
    int n;
    double *a, *b;
} pool;
static double *slots;
static void prepare(int n, int threads)
{
    work = malloc((unsigned long)n * sizeof(double));
    sums = calloc((unsigned long)threads, sizeof(double));
    pool.n = n;
    pool.a = malloc((unsigned long)n * sizeof(double));
    if (n > 3)
        pool.b = calloc((unsigned long)n, sizeof(double));
    else
        pool.b = calloc(3, sizeof(double));
}
static void finish(void)
{
    free(work);
    free(sums);
    free(pool.a);
    free(pool.b);
}
static double f(double *x, int n)
{
    double s = 0;
    int threads = omp_get_max_threads();
    prepare(n, threads);
#pragma omp parallel
    {
        int t = omp_get_thread_num();
        double *own = sums + t;
#pragma omp single
        slots = malloc((unsigned long)n * sizeof(double));
#pragma omp for
        for (int i = 0; i < n; i++) {
            work[i] = x[i] * x[i];
            pool.a[i] = sin(x[i]);
            slots[n - 1 - i] = x[i] + i;
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            *own += work[i] * work[(i + 1) % n] + pool.a[n - 1 - i] * pool.b[i] + slots[i] * x[i];
            pool.b[i] = pool.a[i];
        }
#pragma omp single
        free(slots);
    }
    for (int t = 0; t < threads; t++)
        s += sums[t];
    finish();
    return s;
}
GRADIENT(f)
int main(void)
{
    int bad = 0;
    double x[1000];
    for (int i = 0; i < 1000; i++)
        x[i] = 1 + 0.001 * i;
    for (int k = 0; k < 12; k++) {
        f(x, k % 2 ? 1000 : 3 + k);
        bad |= CHECK(f, 3 + k);
    }
    return bad;
}
