/* Regions whose threads share out by their numbers, by hand, with arguments that overlap: one thread cannot do it all, as it may where the compiler shares out. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
enum { N = 37 };

/* Dealt out in turn to as many as there were threads before. */
static double dealt(const double *a, const double *b, double *c, int n, int threads)
{
    double sum = 0;
    #pragma omp parallel num_threads(threads)
    {
        int t = omp_get_thread_num();
        for (int i = t; i < n; i += threads)
            c[i] = a[i] * b[i];
    }
    for (int i = 0; i < n; i++)
        sum += c[i] * (i + 1);
    return sum;
}

/* Each thread leaves a sum in its place, which nobody has cleared. */
static double parts(const double *a, const double *b, double *c, double *own, int n, int threads)
{
    double sum = 0;
    #pragma omp parallel num_threads(threads)
    {
        int t = omp_get_thread_num();
        double mine = 0;
        #pragma omp for
        for (int i = 0; i < n; i++)
            c[i] = a[i] * b[i];
        #pragma omp for
        for (int i = 0; i < n; i++)
            mine += c[i] * a[i];
        own[t] = mine;
    }
    for (int t = 0; t < threads; t++)
        sum += own[t];
    return sum;
}

/* The same in rows of a block that one thread allocates. */
static double rows(const double *a, int n, int m)
{
    double *all = NULL, sum = 0;
    int count = 0;
    #pragma omp parallel
    {
        int t = omp_get_thread_num();
        #pragma omp single
        {
            count = omp_get_num_threads();
            all = calloc((size_t)(count * m), sizeof *all);
        }
        #pragma omp for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                all[t * m + j] += a[i] * a[(i + j) % n];
        #pragma omp for reduction(+ : sum)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < count; k++)
                s += all[k * m + j];
            sum += s * s;
        }
    }
    free(all);
    return sum;
}

static int differs(const char *what, int i, double is, double wanted)
{
    if (fabs(is - wanted) <= 1e-10 * (1 + fabs(wanted)))
        return 0;
    printf("%s %d: %.15g instead of %.15g\n", what, i, is, wanted);
    return 1;
}

/* A row for each thread, of which there are more than when the function was called: the second row is what was read before. */
static double more_rows(const double *x, double *each, int n, int threads)
{
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * x[i];
    if (threads > 0)
        omp_set_num_threads(threads);
    #pragma omp parallel
    {
        int t = omp_get_thread_num();
        for (int i = 0; i < n; i++)
            each[t * n + i] = t + 0.5;
    }
    return sum;
}

static int check_more_rows(int before, int after)
{
    enum { ROWS = 16 };
    static double block[ROWS * N], bar[ROWS * N];
    int bad = 0;
    for (int i = 0; i < ROWS * N; i++) {
        block[i] = 0.1 * i + 1;
        bar[i] = 0;
    }
    omp_set_num_threads(before);
    __enzyme_autodiff((void *)more_rows, enzyme_dup, block + N, bar + N, enzyme_dup, block, bar, enzyme_const, N, enzyme_const, after);
    for (int i = 0; i < N; i++) {
        double old = 0.1 * (N + i) + 1;
        bad |= differs("rows", i, bar[N + i], 3 * old * old);
    }
    return bad;
}

int main(void)
{
    int threads = 1, bad = 0;
    double x[N], y[N], z[N], x_bar[N] = {0}, y_bar[N] = {0}, z_bar[N] = {0}, w_bar[N] = {0};
    omp_set_dynamic(0);
    #pragma omp parallel
    #pragma omp single
    threads = omp_get_num_threads();
    bad |= check_more_rows(1, 3) | check_more_rows(1, 1) | check_more_rows(3, 0) | check_more_rows(5, 2);
    omp_set_num_threads(threads);
    double *own = malloc((size_t)threads * sizeof *own), *own_bar = calloc((size_t)threads, sizeof *own_bar);
    for (int t = 0; t < threads; t++)
        own[t] = 1e6;
    for (int i = 0; i < N; i++) {
        x[i] = 1 + 0.1 * i;
        y[i] = z[i] = 2 - 0.05 * i;
    }
    __enzyme_autodiff((void *)dealt, enzyme_dup, y, y_bar, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, N, enzyme_const, threads);
    for (int i = 0; i < N; i++) {
        bad |= differs("product", i, y[i], z[i] * x[i]);
        bad |= differs("dealt, x", i, x_bar[i], z[i] * (i + 1)) | differs("dealt, y", i, y_bar[i], x[i] * (i + 1));
        x_bar[i] = 0;
    }
    __enzyme_autodiff((void *)parts, enzyme_dup, x, x_bar, enzyme_dup, x, x_bar, enzyme_dup, z, z_bar, enzyme_dup, own, own_bar, enzyme_const, N, enzyme_const,
                      threads);
    double sum = 0, cubes = 0;
    for (int t = 0; t < threads; t++)
        sum += own[t];
    for (int i = 0; i < N; i++) {
        cubes += x[i] * x[i] * x[i];
        bad |= differs("parts", i, x_bar[i], 3 * x[i] * x[i]);
    }
    bad |= differs("sum", 0, sum, cubes);
    enum { M = 5 };
    double sums[M] = {0};
    __enzyme_autodiff((void *)rows, enzyme_dup, x, w_bar, enzyme_const, N, enzyme_const, M);
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            sums[j] += x[i] * x[(i + j) % N];
    for (int i = 0; i < N; i++) {
        double wanted = 0;
        for (int j = 0; j < M; j++)
            wanted += 2 * sums[j] * (x[(i + j) % N] + x[(i + N - j) % N]);
        bad |= differs("rows", i, w_bar[i], wanted);
    }
    free(own);
    free(own_bar);
    return bad;
}
