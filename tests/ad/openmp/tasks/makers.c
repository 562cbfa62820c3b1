// Who makes tasks: all threads, worksharing loops, functions that return early, functions that are called by a team of the caller's; and tasks that take turns.
#include "../../check.h"

typedef struct { double a, b; } pair;

/* Every thread makes a task of its own part. */
static double all_threads(double *x, int n)
{
    double y[64] = {0}, s = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp task
            y[i] = x[i] * x[(i + 3) % n];
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += y[i] * y[i];
#pragma omp single
        {
#pragma omp task shared(s)
#pragma omp critical
            s += sin(x[0]);
#pragma omp task shared(s)
#pragma omp critical
            s += x[1] * x[2];
        }
    }
    return s;
}

/* It returns from several places, with and without tasks that are still running. */
static void walk(const double *x, double *y, int n, float scale, double *sum)
{
    if (n == 0)
        return;
    if (n == 1) {
        y[0] = scale * x[0];
        return;
    }
    for (int k = 0; k < 2; k++) {
        int from = k * (n / 2), count = k ? n - n / 2 : n / 2;
        float next = scale * (float)0.5;
        if (count > 8)
            next = next * 2;
#pragma omp task
        walk(x + from, y + from, count, next, sum);
    }
#pragma omp taskwait
    y[0] += y[n - 1] * x[0];
    if (n < 4)
        return;
#pragma omp task
    {
        double own = x[0] * x[n - 1];
#pragma omp atomic
        *sum += own * own;
    }
}

static double early(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
#pragma omp single
    walk(x, y, n, 3, &s);
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}

/* A copy of a struct is more than a task takes along: it is done at once. */
static double copies(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        pair p = {x[i], x[n - 1 - i]};
#pragma omp task firstprivate(p)
        y[i] = p.a * sin(p.b);
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * x[i];
    return s;
}

/* Numbers that are taken along: active, inactive and of the maker. */
static double numbers(double *x, int n)
{
    double y[64], s = 0, c = x[0] * x[1];
    long double wide = x[2];
#pragma omp parallel shared(y)
#pragma omp master
    {
        double d = c * c;
        for (int i = 0; i < n; i++) {
            float f = (float)(i + 1);
#pragma omp task firstprivate(d, f)
            {
                d *= x[i];
                y[i] = d * f + (double)wide * c;
            }
            d = d * 0.9 + 0.01 * x[i];
        }
    }
    for (int i = 0; i < n; i++)
        s += y[i];
    return s;
}

GRADIENT(all_threads)
GRADIENT(early)
GRADIENT(copies)
GRADIENT(numbers)

/* The team is the caller's. */
static double part(double *x, int n)
{
    double a = 0, b = 0;
    if (n < 3)
        return x[0] * x[n - 1];
#pragma omp task shared(a)
    a = part(x, n / 2);
    b = part(x + n / 2, n - n / 2);
#pragma omp taskwait
    return a * b + a;
}
static double whole(double *x, int n) { return part(x, n); }
static void whole_gradient(double *x, double *bar, int n)
{
#pragma omp parallel
#pragma omp single
    __enzyme_autodiff((void *)whole, x, bar, n);
}
static double whole_tangent(double *x, double *dot, int n)
{
    double d = 0;
#pragma omp parallel
#pragma omp single
    d = __enzyme_fwddiff((void *)whole, x, dot, n);
    return d;
}

/* Second derivatives: forward over reverse. */
static void early_gradient_of(double *x, double *bar, int n) { early_gradient(x, bar, n); }
static int second(int n)
{
    double x[64], dot[64], bar[64] = {0}, bar_dot[64] = {0}, low[64] = {0}, high[64] = {0};
    int bad = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.8 + 0.1 * i;
        dot[i] = cos(i);
    }
    __enzyme_fwddiff((void *)early_gradient_of, x, dot, bar, bar_dot, n);
    for (int side = -1; side <= 1; side += 2) {
        double y[64];
        for (int i = 0; i < n; i++)
            y[i] = x[i] + side * 1e-5 * dot[i];
        early_gradient(y, side < 0 ? low : high, n);
    }
    for (int i = 0; i < n; i++) {
        double numeric = (high[i] - low[i]) / 2e-5;
        if (!(fabs(numeric - bar_dot[i]) <= 1e-6 * (1 + fabs(numeric)))) {
            printf("second derivative %d: %.12g, not %.12g\n", i, bar_dot[i], numeric);
            bad = 1;
        }
    }
    return bad;
}

int main(void)
{
    return CHECK(all_threads, 13) | CHECK(early, 14) | CHECK(copies, 12) | CHECK(numbers, 11) | CHECK(whole, 17) | second(9);
}
