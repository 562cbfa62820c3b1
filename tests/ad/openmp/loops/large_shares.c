// Shares of many iterations: loops of a thread run in lanes and in strips, shares are multiples of blocks. Compared with differences along directions, and at the borders of shares.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 1100 };
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static double elements(const double *x, int n)
{
    double *y = malloc((size_t)n * sizeof *y), s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i] + x[0] * x[i];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * sin(y[i]);
    free(y);
    return s;
}
static double stencil(const double *x, int n)
{
    double *now = malloc((size_t)n * sizeof *now), *next = malloc((size_t)n * sizeof *next), s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        now[i] = next[i] = x[i];
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 2; i < n - 2; i++)
            next[i] = now[i] + 0.1 * now[i] * (now[i - 2] - 2 * now[i] + now[i + 2]) + 0.05 * now[i - 1] * now[i + 1];
        double *other = now;
        now = next;
        next = other;
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += now[i] * now[i];
    free(now);
    free(next);
    return s;
}
static double paths(const double *x, int n)
{
    double s = 0, best = -1e30;
#pragma omp parallel for reduction(+ : s) reduction(max : best)
    for (int i = 0; i < n; i++) {
        double y[2] = {x[i], 0.1};
        for (int t = 0; t < 9; t++) {
            double k = (1 - y[0] * y[0]) * y[1] - y[0];
            y[0] += 0.1 * y[1];
            y[1] += 0.1 * k;
        }
        s += y[0] * y[1];
        double high = y[0] + (i == n / 3);
        best = high > best ? high : best;
    }
    return s + best * best;
}
static double one_region(const double *x, int n)
{
    double *a = malloc((size_t)n * sizeof *a), bins[40] = {0}, last = 0, s = 0;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            a[i] = exp(0.3 * x[i]);
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] *= x[i];
#pragma omp for lastprivate(last) reduction(+ : bins[ : 40])
        for (int i = 0; i < n; i++) {
            last = a[i] * x[n - 1 - i];
            bins[i % 40] += last;
        }
    }
    for (int k = 0; k < 40; k++)
        s += bins[k] * bins[k] * (k % 3);
    free(a);
    return s + last * last;
}
/* What a thread sums up shows whose iterations are whose. */
static double squares(const double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(3)
    {
        double mine = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            mine += x[i] * x[i];
#pragma omp atomic
        s += mine * mine;
    }
    return s;
}
static double kept(const double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(3)
    {
        double mine = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            mine = x[i];
#pragma omp atomic
        s += mine * mine * mine;
    }
    return s;
}
static double matrix(const double *x, int n)
{
    int m = 33, rows = n / m;
    double *y = calloc((size_t)m, sizeof *y), s = 0;
    for (int j = 0; j < m; j++)
        y[j] = x[j];
#pragma omp parallel for schedule(guided) reduction(+ : s)
    for (int i = 0; i < rows; i++) {
        double t = 0;
        for (int j = 0; j <= i % m; j++)
            t += x[i * m + j] * y[j];
        s += t * t;
    }
    free(y);
    return s;
}
typedef double function(const double *, int);
typedef void reverse(const double *, double *, int);
typedef double forward(const double *, const double *, int);
#define BOTH(F) \
    static void F##_gradient(const double *x, double *bar, int n) \
    { \
        __enzyme_autodiff((void *)F, x, bar, n); \
    } \
    static double F##_tangent(const double *x, const double *dot, int n) \
    { \
        return __enzyme_fwddiff((void *)F, x, dot, n); \
    }
static int check(const char *name, function *f, reverse *gradient, forward *tangent, int n)
{
    static double x[N], y[N], bar[N], dot[N];
    int bad = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.9 + 0.3 * sin(1.7 * i + 0.4);
        bar[i] = 0;
    }
    gradient(x, bar, n);
    for (int k = 0; k < 24; k++) {
        double h = 1e-6, d[2], sum = 0;
        for (int i = 0; i < n; i++) {
            dot[i] = k < 4 ? cos(2.3 * i + k) : i == (k - 4) * n / 20 + (k % 5) - 2 * (k > 4) ? 1 : 0;
            sum += dot[i] * bar[i];
        }
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < n; i++)
                y[i] = x[i] + (side ? -h : h) * dot[i];
            d[side] = f(y, n);
        }
        double numeric = (d[0] - d[1]) / (2 * h), forwards = tangent(x, dot, n);
        if (!(fabs(sum - numeric) <= 2e-5 * (1 + fabs(numeric))) || !(fabs(sum - forwards) <= 1e-8 * (1 + fabs(sum)))) {
            printf("%s, n = %d, direction %d: reverse %.12g, forward %.12g, differences %.12g\n", name, n, k, sum, forwards, numeric);
            bad = 1;
        }
    }
    return bad;
}
BOTH(elements)
BOTH(stencil)
BOTH(paths)
BOTH(one_region)
BOTH(squares)
BOTH(kept)
BOTH(matrix)
#define CHECK(F, n) check(#F, F, F##_gradient, F##_tangent, n)
int main(void)
{
    static const int sizes[] = {N, 1024, 517, 130, 66};
    int bad = 0;
    for (int k = 0; k < 5; k++) {
        int n = sizes[k];
        bad |= CHECK(elements, n) | CHECK(stencil, n) | CHECK(paths, n) | CHECK(one_region, n) | CHECK(squares, n) | CHECK(kept, n) | CHECK(matrix, n);
    }
    return bad;
}
