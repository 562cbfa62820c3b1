#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static int counter;
static double dot(int n, const double *x, const double *y)
{
    double s = 0.0;
#pragma omp parallel for reduction(+: s) schedule(static, 4)
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
static long fib(int n)
{
    if (n < 2) return n;
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
static void histogram(int n, const int *key, int *bins)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        bins[key[i]]++;
    }
}
static double norms(int n, int m, double a[n][m], double *out)
{
    double total = 0;
    int i, j;
#pragma omp parallel private(j) reduction(+: total)
    {
        double local = 0;
#pragma omp for collapse(2) nowait
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                local += a[i][j] * a[i][j];
        total += local;
#pragma omp barrier
#pragma omp single
        out[0] = 1.0;
#pragma omp critical(lock)
        {
            counter += 1;
        }
#pragma omp master
        out[1] = 2.0;
    }
    return total;
}
int main(void)
{
    double x[100], y[100], a[4][5], out[2];
    int key[100], bins[7] = {0};
    for (int i = 0; i < 100; i++) { x[i] = i; y[i] = 1.0 / (i + 1); key[i] = i * i % 7; }
    for (int i = 0; i < 20; i++) a[i / 5][i % 5] = i;
    printf("%.10g\n", dot(100, x, y));
    long f = 0;
#pragma omp parallel
#pragma omp single
    f = fib(12);
    histogram(100, key, bins);
    printf("%ld %d %d\n", f, bins[0], bins[1]);
    printf("%g\n", norms(4, 5, a, out));
    printf("%g %g %d\n", out[0], out[1], counter > 0);
    int last = -1;
#pragma omp parallel for lastprivate(last) num_threads(3)
    for (int i = 0; i < 50; i++) last = i * 2;
    int old, cnt = 0, sum = 0;
#pragma omp parallel for private(old) reduction(+:sum)
    for (int i = 0; i < 10; i++) {
#pragma omp atomic capture
        { old = cnt; cnt += 1; }
        sum += old;
    }
    printf("%d %d %d\n", last, cnt, sum);
    double p1 = 0, p2 = 0;
#pragma omp parallel sections
    {
#pragma omp section
        p1 = dot(10, x, x);
#pragma omp section
        p2 = dot(10, y, y);
    }
    printf("%.10g %.10g\n", p1, p2);
    float z[64];
#pragma omp simd
    for (int i = 0; i < 64; i++) z[i] = (float)i * 0.5f;
    double acc[3] = {0};
#pragma omp parallel for reduction(+: acc[:3])
    for (int i = 0; i < 30; i++) acc[i % 3] += z[i];
    printf("%g %g %g\n", acc[0], acc[1], acc[2]);
    return 0;
}
