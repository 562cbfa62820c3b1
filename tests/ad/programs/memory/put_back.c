// In-place updates of memory of the caller's and at file scope: the gradient against differences, and afterwards memory is to the bit what the function itself leaves.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { MOST = 400 };

/* Gauss-Seidel on an argument, with coefficients. */
static void sweeps(int n, int times, double *u, const double *c)
{
    for (int t = 0; t < times; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = sin(u[(i - 1) * n + j] * c[i * n + j] + u[(i + 1) * n + j] * u[i * n + j - 1] + u[i * n + j + 1]);
}

/* Forwards and backwards, one element in three. */
static void both_ways(int n, int times, double *u, const double *c)
{
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n * n - 4; i++)
            u[i + 1] = u[i] * c[i] + cos(u[i + 4]);
        for (int i = n * n - 2; i >= 3; i--)
            u[i] = u[i + 1] * c[i] + sin(u[i] * u[i - 3]);
    }
}

/* Columns of a matrix that is wider than they are many: what lies between stays as it is. */
static void columns(int n, int times, double *u, const double *c)
{
    for (int t = 0; t < times; t++)
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n / 2; j++)
                u[i * n + j] = exp(-u[i * n + j] * u[(i - 1) * n + j]) * c[i];
}

/* LU. */
static void factor(int n, int times, double *u, const double *c)
{
    for (int k = 0; k < n; k++)
        u[k * n + k] += 4.0 + c[k] * times;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            u[i * n + k] /= u[k * n + k];
            for (int j = k + 1; j < n; j++)
                u[i * n + j] -= sin(u[i * n + k] * u[k * n + j]) * u[i * n + j];
        }
}

/* Below the diagonal only. */
static void triangle(int n, int times, double *u, const double *c)
{
    for (int t = 0; t < times; t++)
        for (int i = 1; i < n; i++)
            for (int j = 0; j < i; j++)
                u[i * n + j] = sin(u[i * n + j] * u[(i - 1) * n + j]) * c[j] + u[j * n + i];
}

/* Two arguments that may be one. */
static void two(int n, int times, double *u, const double *c, double *v)
{
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < n * n; i++)
            u[i] = sin(u[i] * v[i - 1]) + c[i] * u[i - 1];
        for (int i = 0; i < n * n - 1; i++)
            v[i] = 0.2 * v[i + 1] * u[i] + 0.5 * cos(v[i]);
    }
}
static void itself(int n, int times, double *u, const double *c) { two(n, times, u, c, u); }
static void halves(int n, int times, double *u, const double *c) { two(n / 2, times, u, c, u + n * n / 2); }
static void shifted(int n, int times, double *u, const double *c) { two(n / 2, times, u, c, u + 3); }

/* Nothing, or a single row. */
static void nothing(int n, int times, double *u, const double *c) { sweeps(n > 0 ? 2 : n, times, u, c); }
static void one_row(int n, int times, double *u, const double *c) { sweeps(n > 3 ? 3 : n, times, u, c); }

/* At file scope: cells with several numbers, and rows that are used again. */
static double cells[12][12][3], line[12][3][3];
static void at_file_scope(int n, int times, double *u, const double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int m = 0; m < 3; m++)
                cells[i][j][m] = u[i * n + j] * (m + 1) + c[j];
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                for (int m = 0; m < 3; m++)
                    for (int l = 0; l < 3; l++)
                        line[j][m][l] = (m == l ? 3.0 : 0.1) + 0.1 * sin(cells[i][j][m] * cells[i][j][l]);
            for (int j = 1; j < n; j++)
                for (int m = 0; m < 3; m++) {
                    double p = 1.0 / line[j][m][m];
                    cells[i][j][m] = (cells[i][j][m] - 0.2 * line[j - 1][m][m] * cells[i][j - 1][m]) * p;
                    for (int l = m + 1; l < 3; l++) {
                        line[j][l][m] *= p;
                        if (line[j][l][m] > 0.02)
                            cells[i][j][l] -= line[j][l][m] * cells[i][j][m];
                    }
                }
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i * n + j] = cells[i][j][0] * cells[i][j][1] + cells[i][j][2];
}

/* Stores under a condition. */
static void clamped(int n, int times, double *u, const double *c)
{
    for (int t = 0; t < times; t++)
        for (int i = 1; i < n * n; i++)
            if (u[i] > 0.1)
                u[i] = u[i] * u[i - 1] + c[i];
}

struct state {
    int n;
    double *u;
    double weight[4];
};
static void through(struct state *s, int times, const double *c)
{
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < s->n; i++)
            s->u[i] = sin(s->u[i]) * s->u[i - 1] * s->weight[i % 4] + c[i];
        for (int k = 1; k < 4; k++)
            s->weight[k] = s->weight[k] * cos(s->weight[k - 1]) * s->u[k];
    }
}
static void in_struct(int n, int times, double *u, const double *c)
{
    struct state s = {n * n - 4, u + 4, {u[0], u[1], u[2], u[3]}};
    through(&s, times, c);
    for (int k = 0; k < 4; k++)
        u[k] = s.weight[k];
}

typedef void function(int, int, double *, const double *);

static double sum_of(int n, const double *u)
{
    double s = 0.0;
    for (int i = 0; i < n * n; i++)
        s += u[i] * (1.0 + 0.01 * i) + 0.1 * u[i] * u[i];
    return s;
}

#define CASE(name)                                                       \
    static double objective_##name(int n, int times, double *u, const double *c) \
    {                                                                    \
        name(n, times, u, c);                                            \
        return sum_of(n, u);                                             \
    }                                                                    \
    static void gradient_##name(int n, int times, double *u, double *ub, double *c, double *cb) \
    { __enzyme_autodiff((void *)objective_##name, enzyme_const, n, enzyme_const, times, enzyme_dup, u, ub, enzyme_dup, c, cb); }
/* Forward over reverse. */
#define SECOND(name) \
    static void second_##name(int n, int times, double *u, double *ut, double *ub, double *ubt, double *c, double *cb, double *cbt) \
    { __enzyme_fwddiff((void *)gradient_##name, enzyme_const, n, enzyme_const, times, enzyme_dup, u, ut, enzyme_dup, ub, ubt, enzyme_const, c, enzyme_dup, cb, cbt); }
CASE(sweeps)
CASE(both_ways)
CASE(columns)
CASE(factor)
CASE(triangle)
CASE(itself)
CASE(halves)
CASE(shifted)
CASE(nothing)
CASE(one_row)
CASE(at_file_scope)
CASE(clamped)
CASE(in_struct)

SECOND(sweeps)
SECOND(both_ways)
SECOND(columns)
SECOND(at_file_scope)
SECOND(clamped)

static int failures;

static void check(const char *name, int n, double (*objective)(int, int, double *, const double *), void (*gradient)(int, int, double *, double *, double *, double *))
{
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    double *u = malloc(bytes + 8), *ub = malloc(bytes + 8), *c = malloc(bytes + 8), *cb = calloc(count + 1, 8), *w = malloc(bytes + 8);
    static double before[2][12][12][3];
    for (size_t i = 0; i < count; i++) {
        u[i] = 0.6 * sin(1.0 + 3.7 * (double)i);
        c[i] = 0.5 + 0.3 * cos(2.0 + 1.3 * (double)i);
        ub[i] = 0.0;
    }
    int times = 3;
    memcpy(w, u, bytes);
    objective(n, times, w, c);
    memcpy(before[0], cells, sizeof cells);
    memcpy(before[1], line, sizeof line);
    double *g = malloc(bytes + 8);
    memcpy(g, u, bytes);
    gradient(n, times, g, ub, c, cb);
    int same = memcmp(g, w, bytes) == 0 && memcmp(before[0], cells, sizeof cells) == 0 && memcmp(before[1], line, sizeof line) == 0;
    double worst = 0.0;
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; i < count; i++) {
            double h = 1e-5, value[2], *x = which ? c : u, old = x[i];
            for (int k = 0; k < 2; k++) {
                x[i] = old + (k ? -h : h);
                memcpy(w, u, bytes);
                value[k] = objective(n, times, w, c);
            }
            x[i] = old;
            double numeric = (value[0] - value[1]) / (2 * h), exact = which ? cb[i] : ub[i];
            double error = fabs(numeric - exact) / (1.0 + fabs(exact));
            if (!(error <= worst))
                worst = error;
        }
    if (!same || !(worst < 1e-6)) {
        printf("%s, n = %d: %s, error %g\n", name, n, same ? "same" : "not what the function leaves", worst);
        failures++;
    }
    free(u), free(ub), free(c), free(cb), free(w), free(g);
}

static void check_second(const char *name, int n, void (*gradient)(int, int, double *, double *, double *, double *),
                         void (*second)(int, int, double *, double *, double *, double *, double *, double *, double *))
{
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    double *x[9], *u = malloc(bytes + 8), worst = 0.0;
    for (int k = 0; k < 9; k++)
        x[k] = calloc(count + 1, sizeof(double));
    for (size_t i = 0; i < count; i++) {
        u[i] = 0.6 * sin(1.0 + 3.7 * (double)i);
        x[1][i] = cos(5.0 * (double)i);
        x[4][i] = 0.5 + 0.3 * cos(2.0 + 1.3 * (double)i);
    }
    memcpy(x[0], u, bytes);
    second(n, 3, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
    double h = 1e-6, *g[2][2];
    for (int k = 0; k < 2; k++) {
        g[k][0] = calloc(count + 1, sizeof(double)), g[k][1] = calloc(count + 1, sizeof(double));
        for (size_t i = 0; i < count; i++)
            x[7][i] = u[i] + (k ? -h : h) * cos(5.0 * (double)i);
        gradient(n, 3, x[7], g[k][0], x[4], g[k][1]);
    }
    for (size_t i = 0; i < count; i++)
        for (int which = 0; which < 2; which++) {
            double numeric = (g[0][which][i] - g[1][which][i]) / (2 * h), exact = x[which ? 6 : 3][i];
            double error = fabs(numeric - exact) / (1.0 + fabs(exact));
            if (!(error <= worst))
                worst = error;
        }
    if (!(worst < 1e-5)) {
        printf("%s, second order, n = %d: error %g\n", name, n, worst);
        failures++;
    }
    for (int k = 0; k < 9; k++)
        free(x[k]);
    for (int k = 0; k < 4; k++)
        free(g[k / 2][k % 2]);
    free(u);
}

int main(void)
{
#define RUN(name) check(#name, n, objective_##name, gradient_##name)
    for (int n = 2; n < 11; n += 2) {
        RUN(sweeps);
        RUN(columns);
        RUN(factor);
        RUN(triangle);
        RUN(nothing);
        RUN(one_row);
        RUN(at_file_scope);
        RUN(clamped);
        if (n > 2 && n < 9) {
#define RUN_SECOND(name) check_second(#name, n, gradient_##name, second_##name)
            RUN_SECOND(sweeps);
            RUN_SECOND(both_ways);
            RUN_SECOND(columns);
            RUN_SECOND(at_file_scope);
            RUN_SECOND(clamped);
        }
        if (n > 2) {
            RUN(both_ways);
            RUN(itself);
            RUN(halves);
            RUN(shifted);
            RUN(in_struct);
        }
    }
    if (!failures)
        printf("ok\n");
    return failures != 0;
}
