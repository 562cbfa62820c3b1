// Regions that reach the same places in every iteration of a loop around them, and some that only seem to: tables that change, teams that change, places that follow the loop.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { N = 60, EACH = 4, STEPS = 5 };

/* One table for all steps. */
static double steady(const int *starts, const int *columns, const double *values, double *work, int n)
{
    for (int c = 0; c < STEPS; c++) {
        const double *from = work + c * n;
        double *to = work + (c + 1) * n;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double row = 0.0;
            for (int k = starts[i]; k < starts[i + 1]; k++)
                row += values[k] * from[columns[k]];
            to[i] = row / (1 + row * row);
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += work[STEPS * n + i] * (i + 1);
    return sum;
}

/* The table is another one after each step. */
static double moving(const int *starts, int *columns, const double *values, double *work, int n)
{
    for (int c = 0; c < STEPS; c++) {
        const double *from = work + c * n;
        double *to = work + (c + 1) * n;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double row = 0.0;
            for (int k = starts[i]; k < starts[i + 1]; k++)
                row += values[k] * from[columns[k]];
            to[i] = row / (1 + row * row);
        }
        for (int k = 0; k < starts[n]; k++)
            columns[k] = (columns[k] * 5 + c) % n;
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += work[STEPS * n + i] * (i + 1);
    return sum;
}

/* Teams of other sizes, a step that is left out, and entries that are only used in some steps. */
static double uneven(const int *starts, const int *columns, const double *values, double *work, int n)
{
    for (int c = 0; c < STEPS; c++) {
        const double *from = work + c * n;
        double *to = work + (c + 1) * n;
        if (c == 2) {
            memcpy(to, from, (size_t)n * sizeof *to);
            continue;
        }
#pragma omp parallel for num_threads(1 + c % 3)
        for (int i = 0; i < n; i++) {
            double row = 0.0;
            for (int k = starts[i]; k < starts[i + 1]; k++)
                if ((columns[k] + c) % 3 != 0)
                    row += values[k] * from[columns[k]];
            to[i] = row / (1 + row * row);
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += work[STEPS * n + i] * (i + 1);
    return sum;
}

/* Backwards, and by the number of the step. */
static double sliding(const int *starts, const int *columns, const double *values, double *work, int n)
{
    for (int c = 0; c < STEPS; c++) {
        const double *from = work + c * n;
        double *to = work + (c + 1) * n;
#pragma omp parallel for schedule(static, 3)
        for (int i = 0; i < n; i++) {
            double row = 0.0;
            for (int k = 0; k < starts[i + 1] - starts[i]; k++)
                row += values[starts[i + 1] - 1 - k] * from[(columns[starts[i] + k] + c) % n];
            to[i] = row / (1 + row * row);
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += work[STEPS * n + i] * (i + 1);
    return sum;
}

typedef double function(const int *, int *, const double *, double *, int);

static int starts[N + 1], columns[EACH * N], failures;
static double values[EACH * N], values_bar[EACH * N], x[N], work[(STEPS + 1) * N], work_bar[(STEPS + 1) * N];

static void begin(void)
{
    for (int i = 0; i <= N; i++)
        starts[i] = EACH * i;
    for (int k = 0; k < EACH * N; k++)
        columns[k] = (k * 37 + k / 7) % N;
    memset(work, 0, sizeof work);
    memcpy(work, x, sizeof x);
}

static double at(function *f, double *place, double step)
{
    double old = *place;
    *place = old + step;
    begin();
    double value = f(starts, columns, values, work, N);
    *place = old;
    return value;
}

static void check(const char *what, function *f, void (*gradient)(void))
{
    memset(values_bar, 0, sizeof values_bar);
    memset(work_bar, 0, sizeof work_bar);
    begin();
    gradient();
    for (int k = 0; k < (EACH + 1) * N; k += 3) {
        double *place = k < N ? &x[k] : &values[k - N], is = k < N ? work_bar[k] : values_bar[k - N];
        double should = (at(f, place, 1e-5) - at(f, place, -1e-5)) / 2e-5;
        if (!(fabs(is - should) <= 1e-6 * (1 + fabs(should))) && failures++ < 20)
            printf("%s, %d: %.12g, not %.12g\n", what, k, is, should);
    }
}

#define GRADIENT(f)                                                                                                                              \
    static void f##_gradient(void)                                                                                                               \
    {                                                                                                                                            \
        __enzyme_autodiff((void *)f, enzyme_const, starts, enzyme_const, columns, enzyme_dup, values, values_bar, enzyme_dup, work, work_bar,     \
                          enzyme_const, N);                                                                                                      \
    }
GRADIENT(steady)
GRADIENT(moving)
GRADIENT(uneven)
GRADIENT(sliding)

static double steady_f(const int *s, int *c, const double *v, double *w, int n) { return steady(s, c, v, w, n); }
static double uneven_f(const int *s, int *c, const double *v, double *w, int n) { return uneven(s, c, v, w, n); }
static double sliding_f(const int *s, int *c, const double *v, double *w, int n) { return sliding(s, c, v, w, n); }

int main(void)
{
    for (int k = 0; k < EACH * N; k++)
        values[k] = sin(0.37 * k + 0.2);
    for (int i = 0; i < N; i++)
        x[i] = cos(0.7 * i);
    check("steady", steady_f, steady_gradient);
    check("moving", moving, moving_gradient);
    check("uneven", uneven_f, uneven_gradient);
    check("sliding", sliding_f, sliding_gradient);
    return failures != 0;
}
