// Numbers without a sign that went below zero, or are as large as they can be: offsets, bounds that something else ends the loop before, and indices made narrow.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#define N 240

static void shifted(const double *x, double *y, size_t n, size_t offset)
{
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] * sin(x[n + offset + i]);
}
static void around(const double *x, double *y, size_t n, size_t offset)
{
    unsigned m = (unsigned)n, by = (unsigned)offset;
#pragma omp parallel for
    for (unsigned i = 0; i < m; i++)
        y[i] = sin(x[(i + by) % m]);
}
static void smaller(const double *x, double *y, size_t n, size_t limit)
{
#pragma omp parallel for
    for (int r = 0; r < 20; r++) {
        size_t end = limit - 1 < n ? limit - 1 : n;
        for (size_t j = 0; j < end; j++)
            y[r] += x[j] * x[j] * (r + 1) * 0.01;
    }
}
static void no_limit(const double *x, double *y, size_t n, size_t limit)
{
#pragma omp parallel for
    for (int r = 0; r < 20; r++) {
        size_t end = limit < n - (size_t)r ? limit : n - (size_t)r;
        for (size_t j = 0; j < end; j++)
            y[r] += x[j] * x[j] * (r + 1) * 0.01;
    }
}
static void left_early(const double *x, double *y, size_t n, size_t limit)
{
#pragma omp parallel for
    for (int r = 0; r < 20; r++)
        for (size_t j = 0; j < limit - 1; j++) {
            if (j + (size_t)r >= n)
                break;
            y[r] += x[j] * x[j] * (r + 1) * 0.01;
        }
}
static void cut_off(const double *x, double *y, size_t n, size_t offset)
{
#pragma omp parallel for
    for (long i = 0; i < (long)n; i++)
        y[i] = sin(x[(unsigned)(i * 0x100000000L) + offset]);
}

typedef void function(const double *, double *, size_t, size_t);
static double weighted(function *f, const double *x, size_t n, size_t more)
{
    double y[N] = {0}, sum = 0;
    f(x, y, n, more);
    for (int i = 0; i < N; i++)
        sum += (1 + 0.01 * i) * y[i];
    return sum;
}
static int failures;
static void check(const char *name, function *f, const double *g, size_t n, size_t more)
{
    double x[N];
    for (int i = 0; i < N; i++)
        x[i] = sin(i + 1.0);
    for (int i = 0; i < N; i++) {
        double old = x[i], h = 1e-6;
        x[i] = old + h;
        double up = weighted(f, x, n, more);
        x[i] = old - h;
        double want = (up - weighted(f, x, n, more)) / (2 * h);
        x[i] = old;
        if (!(fabs(g[i] - want) <= 1e-6 * (1 + fabs(want))) && failures++ < 5)
            printf("%s: %d: %.12g instead of %.12g\n", name, i, g[i], want);
    }
}
#define TRY(f, n, more)                                                                                                \
    do {                                                                                                               \
        double x[N], y[N], g[N], s[N];                                                                                 \
        volatile size_t count = n, other = more;                                                                       \
        for (int i = 0; i < N; i++)                                                                                    \
            x[i] = sin(i + 1.0), y[i] = g[i] = 0, s[i] = 1 + 0.01 * i;                                                 \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_dup, y, s, enzyme_const, count, enzyme_const, other);    \
        check(#f, f, g, count, other);                                                                                 \
    } while (0)

int main(void)
{
    TRY(shifted, 160, -(size_t)80);
    TRY(around, 60, 4294967260u);
    TRY(smaller, 60, 0);
    TRY(smaller, 60, 30);
    TRY(no_limit, 60, SIZE_MAX);
    TRY(no_limit, 60, 30);
    TRY(left_early, 60, 0);
    TRY(left_early, 60, 30);
    TRY(left_early, 60, SIZE_MAX);
    TRY(cut_off, 60, 3);
    return failures != 0;
}
