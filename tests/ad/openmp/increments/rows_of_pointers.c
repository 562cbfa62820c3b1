// Stencils over arrays of pointers to rows: tables of the function's own that take turns, rows of rows, and tables of the caller with rows that are apart, parts of one block, or in part the same;
// tables that are not there, where no step runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 24, ALL = N * N, M = 9 };

static double **table(int n)
{
    double **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = calloc(n, sizeof **rows);
    return rows;
}

static void drop(double **rows, int n)
{
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
}

static void step(double **a, double **b, int n)
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = a[i][j] + 0.1 * a[i][j] * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
}

static double own(const double *x, int n, int steps)
{
    double **a = table(n), **b = table(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i][j] = x[i * n + j];
    for (int t = 0; t < steps; t++) {
        step(a, b, n);
        double **old = a;
        a = b;
        b = old;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += a[i][j] * b[i][j] * (1 + j % 3);
    drop(a, n);
    drop(b, n);
    return s;
}

static double cubes(const double *x, int n, int steps)
{
    double ***a = malloc(n * sizeof *a), ***b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = table(n);
        b[i] = table(n);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j][k] = b[i][j][k] = x[((i * n + j) * n + k) % ALL] + 0.01 * k;
    }
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    b[i][j][k] = a[i][j][k] + 0.1 * a[i][j][k] * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] - a[i][j + 1][k] + a[i][j][k - 1] - a[i][j][k + 1]);
        double ***old = a;
        a = b;
        b = old;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                s += a[i][j][k] * a[i][j][k];
    for (int i = 0; i < n; i++) {
        drop(a[i], n);
        drop(b[i], n);
    }
    free(a);
    free(b);
    return s;
}

/* Nothing but stencils reads the tables: no loop goes through all rows. */
static double given(double **a, double **b, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        step(a, b, n);
        step(b, a, n);
    }
    return steps ? a[1][1] * a[n / 2][n / 3] + a[n - 2][2] : 1;
}

static double in_turn(double **a, double **b, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        step(a, b, n);
        double **old = a;
        a = b;
        b = old;
    }
    return steps ? a[1][1] * b[n / 2][n / 3] + a[n - 2][2] : 1;
}

/* How the rows of the tables lie. */
enum { APART, ONE_BLOCK, SHARED, WAYS };
static double memory[2 * ALL + N], now[2 * ALL + N], bars[2 * ALL + N];

static void point(double **rows, double *block, int way, int second)
{
    for (int i = 0; i < N; i++)
        rows[i] = block + (second ? ALL : 0) + (way == APART ? (N - 1 - i) : i) * N;
    /* The outer rows are only read: they may all be one. */
    if (way == SHARED)
        rows[0] = rows[N - 1] = block;
}

typedef double function(double **, double **, int, int);

static double value(function *f, int way, int steps)
{
    double *a[N], *b[N];
    memcpy(now, memory, sizeof now);
    point(a, now, way, 0);
    point(b, now, way, 1);
    return f(a, b, N, steps);
}

static int differs(const char *name, int way, int steps, int i, double got, double expected)
{
    if (fabs(got - expected) < 1e-6 * (1 + fabs(expected)))
        return 0;
    printf("%s, way %d, %d steps: [%d]: %g instead of %g\n", name, way, steps, i, got, expected);
    return 1;
}

static int compare(const char *name, function *f, int way, int steps)
{
    int wrong = 0;
    for (int i = 0; i < 2 * ALL; i += 7) {
        double old = memory[i], h = 1e-6;
        memory[i] = old + h;
        double up = value(f, way, steps);
        memory[i] = old - h;
        double down = value(f, way, steps);
        memory[i] = old;
        wrong += differs(name, way, steps, i, bars[i], (up - down) / (2 * h));
    }
    return wrong;
}

#define TRY(f)                                                                                                                     \
    do {                                                                                                                           \
        memcpy(now, memory, sizeof now);                                                                                           \
        memset(bars, 0, sizeof bars);                                                                                              \
        __enzyme_autodiff((void *)f, enzyme_dup, a, a_bar, enzyme_dup, b, b_bar, enzyme_const, N, enzyme_const, steps);            \
        wrong += compare(#f, f, way, steps);                                                                                       \
    } while (0)

#define TRY_OWN(f, n)                                                                                                              \
    do {                                                                                                                           \
        double x_bar[ALL] = {0};                                                                                                   \
        __enzyme_autodiff((void *)f, enzyme_dup, memory, x_bar, enzyme_const, n, enzyme_const, steps);                             \
        for (int i = 0; i < n * n; i += 5) {                                                                                       \
            double old = memory[i], h = 1e-6;                                                                                      \
            memory[i] = old + h;                                                                                                   \
            double up = f(memory, n, steps);                                                                                       \
            memory[i] = old - h;                                                                                                   \
            double down = f(memory, n, steps);                                                                                     \
            memory[i] = old;                                                                                                       \
            wrong += differs(#f, 0, steps, i, x_bar[i], (up - down) / (2 * h));                                                    \
        }                                                                                                                          \
    } while (0)

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < 2 * ALL + N; i++)
        memory[i] = 0.6 * sin(0.7 * i) + 0.3;
    for (int steps = 0; steps < 4; steps++) {
        TRY_OWN(own, N);
        TRY_OWN(cubes, M);
        for (int way = 0; way < WAYS; way++) {
            double *a[N], *b[N], *a_bar[N], *b_bar[N];
            point(a, now, way, 0);
            point(b, now, way, 1);
            point(a_bar, bars, way, 0);
            point(b_bar, bars, way, 1);
            TRY(given);
            TRY(in_turn);
        }
    }
    double **none = NULL;
    __enzyme_autodiff((void *)given, enzyme_dup, none, none, enzyme_dup, none, none, enzyme_const, N, enzyme_const, 0);
    return wrong != 0;
}
