// Columns of a matrix, chunks, sections, a static array of rows, a thread's own partial sums by number.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

enum { N = 24 };
static double columns(const double *a, double *y)
{
    double s = 0;
#pragma omp parallel for
    for (int j = 0; j < N; j++) {
        double t = 1;
        for (int i = 0; i < N; i++) t += a[i * N + j] * a[i * N + j];
        y[j] = log(t);
    }
    for (int j = 0; j < N; j++) s += y[j] * (j + 1);
    return s;
}
static double chunks(const double *a, double *y)
{
    double s = 0;
#pragma omp parallel for schedule(static, 5)
    for (int i = 0; i < N * N; i++) y[i % N + N * (i / N)] = sin(a[i]);
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : s)
    for (int i = 0; i < N * N; i++) s += y[i] * a[i];
    return s;
}
static double sections(const double *a, double *y)
{
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < 10; i++) y[i] = a[i] * a[i + 1];
#pragma omp section
        for (int i = 10; i < 20; i++) y[i] = a[i] * a[i - 5];
#pragma omp section
        y[20] = a[0] * a[20];
    }
    double s = 0;
    for (int i = 0; i <= 20; i++) s += y[i] * y[i];
    return s;
}
static double grid[N][N], grid_bar[N][N];
static double rows(double (*g)[N], double *y)
{
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) y[i * N + j] = g[i - 1][j] * g[i + 1][j] - g[i][j - 1] * g[i][j + 1];
    double s = 0;
    for (int i = 0; i < N * N; i++) s += y[i] * y[i];
    return s;
}
static double by_number(const double *a, double *y)
{
    double part[64] = {0};
#pragma omp parallel
    {
        int t = omp_get_thread_num(), team = omp_get_num_threads();
        for (int i = t; i < N; i += team) part[t % 64] += a[i] * a[i] * a[(i + 1) % N];
    }
    double s = 0;
    for (int t = 0; t < 64; t++) s += part[t];
    (void)y;
    return s;
}

static double flat_rows(const double *a, double *y)
{
    static double g[N][N];
    memcpy(g, a, sizeof g);
    memset(y, 0, N * N * sizeof *y);
    return rows(g, y);
}

typedef double function(const double *, double *);
static void compare(const char *name, function *f, double *bar, const double *x)
{
    for (int k = 0; k < N * N; k += 7) {
        static double p[N * N], y[N * N];
        double h = 1e-6;
        memcpy(p, x, sizeof p);
        p[k] = x[k] + h;
        double above = f(p, y);
        p[k] = x[k] - h;
        double below = f(p, y);
        check(name, k, bar[k], (above - below) / (2 * h));
    }
}
int main(void)
{
    static double x[N * N], y[N * N], bar[N * N], y_bar[N * N];
    for (int i = 0; i < N * N; i++) x[i] = 0.5 + 0.3 * sin(i);
#define TRY(f) \
    memset(bar, 0, sizeof bar), memset(y, 0, sizeof y), memset(y_bar, 0, sizeof y_bar); \
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_dup, y, y_bar); \
    compare(#f, f, bar, x)
    TRY(columns);
    TRY(chunks);
    TRY(sections);
    TRY(by_number);
    memcpy(grid, x, sizeof x);
    memset(y, 0, sizeof y), memset(y_bar, 0, sizeof y_bar);
    __enzyme_autodiff((void *)rows, enzyme_dup, grid, grid_bar, enzyme_dup, y, y_bar);
    compare("rows", flat_rows, &grid_bar[0][0], x);
    return failures != 0;
}
