/* Values that one loop leaves in memory and a later loop reads there, in a loop over steps that overwrites them: they can be kept once where the later loop reads what the earlier one
   left in the same iteration, and only there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

enum { N = 13, STEPS = 4 };

/* Slopes and fluxes of each step. */
static double fluxes(double *u, int n, int how)
{
    double s = 0, *d = malloc(n * sizeof *d), *f = malloc(n * sizeof *f);
    (void)how;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < n; i++)
            d[i] = sin(u[i]) * u[(i + 1) % n];
        for (int i = 0; i < n; i++)
            f[i] = d[i] * d[i] + cos(d[i]) * u[i];
        for (int i = 0; i < n; i++)
            u[i] += 0.1 * d[i] * f[i] - 0.05 * f[(i + n - 1) % n];
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    free(d);
    free(f);
    return s;
}

/* Two indices, and a load that only some iterations have. */
static double planes(double *u, int n, int how)
{
    int rows = 3, columns = n / 3;
    double s = 0, *d = malloc(n * sizeof *d);
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                d[i * columns + j] = exp(0.1 * u[i * columns + j]) * u[j];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                if ((i + j + how) % 2)
                    u[i * columns + j] = sin(d[i * columns + j]) * d[i * columns + j] + 0.5 * u[i * columns + j];
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    free(d);
    return s;
}

/* Not the same: several iterations store to one place, something stores in between, the loops differ, a store is left out, a loop is left, or the later loop stores itself. */
#define OTHER(number, ...) \
    static double other_##number(double *u, int n, int how) \
    { \
        double s = 0, *d = malloc((2 * n + 2) * sizeof *d); \
        (void)how; \
        for (int i = 0; i < 2 * n + 2; i++) \
            d[i] = 0.1 * i; \
        for (int t = 0; t < STEPS; t++) { \
            __VA_ARGS__ \
        } \
        for (int i = 0; i < n; i++) \
            s += u[i] * u[i]; \
        free(d); \
        return s; \
    } \
    static void of_other_##number(double *u, double *bar, int how) \
    { \
        __enzyme_autodiff((void *)other_##number, u, bar, N, how); \
    }

OTHER(0,
    for (int i = 0; i < n; i++)
        d[i / 2] = sin(u[i]) * u[i];
    for (int i = 0; i < n; i++)
        u[i] = d[i / 2] * d[i / 2] * 0.3 + 0.7 * u[i];)
OTHER(1,
    for (int i = 0; i < n; i++)
        d[i] = sin(u[i]) * u[i];
    for (int i = 3; i < 6; i++)
        d[i] *= u[i - 2] * d[i];
    for (int i = 0; i < n; i++)
        u[i] = d[i] * d[i] * 0.3 + 0.7 * u[i];)
OTHER(2,
    for (int i = 0; i < n; i++)
        d[i] = sin(u[i]) * u[i];
    for (int i = 1; i < n; i++)
        u[i] = d[i] * d[i] * 0.3 + 0.7 * u[i] * d[i - 1];)
OTHER(3,
    for (int i = 0; i < n; i++)
        if (u[i] > 0.5)
            d[i] = sin(u[i]) * u[i];
    for (int i = 0; i < n; i++)
        u[i] = d[i] * d[i] * 0.3 + 0.7 * u[i];)
OTHER(4,
    for (int i = 0; i < n; i++) {
        if (u[i] > 1.2)
            break;
        d[i] = sin(u[i]) * u[i];
    }
    for (int i = 0; i < n; i++)
        u[i] = d[i] * d[i] * 0.3 + 0.7 * u[i];)
OTHER(5,
    for (int i = 0; i < n; i++)
        d[i] = sin(u[i]) * u[i];
    for (int i = 0; i < n; i++) {
        d[i + 1] += 0.5 * d[i] * d[i];
        u[i] = d[i] * d[i] * 0.3 + 0.7 * u[i];
    })
OTHER(6,
    for (int i = 0; i < n; i++) {
        d[i] = sin(u[i]) * u[i];
        d[n - 1 - i] = u[i] * u[i];
    }
    for (int i = 0; i < n; i++)
        u[i] = sin(d[i] * d[i]) * 0.3 + 0.7 * u[i];)
OTHER(7,
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            d[i * 2 + j] = sin(u[i]) * u[j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            u[i + j] = d[i * 2 + j] * d[i * 2 + j] * 0.3 + 0.7 * u[i + j];)

/* The arrays come from the caller, who may let them overlap. */
static double given(double *u, double *d, int n)
{
    double s = 0;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < n; i++)
            d[i] = sin(u[i]) * u[i] + 0.1 * i;
        for (int i = 0; i < n; i++)
            u[i] = d[i] * d[i] * 0.3 + 0.7 * u[i] * d[i];
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i] + d[i];
    return s;
}

static int failures;

static void compare(const char *name, int how, int i, double found, double difference)
{
    if (fabs(found - difference) > 1e-5 * (1 + fabs(difference))) {
        printf("%s %d [%d]: %.10g, differences say %.10g\n", name, how, i, found, difference);
        failures++;
    }
}

static double start(int i) { return 0.8 + 0.5 * sin(1.3 * i); }

static void check(const char *name, double (*f)(double *, int, int), void (*gradient)(double *, double *, int), int how)
{
    double u[N], bar[N] = {0}, h = 1e-6;
    for (int i = 0; i < N; i++)
        u[i] = start(i);
    gradient(u, bar, how);
    for (int k = 0; k < N; k++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < N; i++)
                u[i] = start(i) + (i == k ? (side ? -h : h) : 0);
            value[side] = f(u, N, how);
        }
        compare(name, how, k, bar[k], (value[0] - value[1]) / (2 * h));
    }
}

static void of_fluxes(double *u, double *bar, int how) { __enzyme_autodiff((void *)fluxes, u, bar, N, how); }
static void of_planes(double *u, double *bar, int how) { __enzyme_autodiff((void *)planes, u, bar, N, how); }

/* The second array begins so many elements behind the first. */
static void check_given(int distance)
{
    enum { M = 8 };
    double memory[2 * M], bar[2 * M] = {0}, h = 1e-6;
    for (int i = 0; i < 2 * M; i++)
        memory[i] = start(i);
    __enzyme_autodiff((void *)given, memory, bar, memory + distance, bar + distance, M);
    for (int k = 0; k < M + distance; k++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 2 * M; i++)
                memory[i] = start(i) + (i == k ? (side ? -h : h) : 0);
            value[side] = given(memory, memory + distance, M);
        }
        compare("given", distance, k, bar[k], (value[0] - value[1]) / (2 * h));
    }
}

int main(void)
{
    check("fluxes", fluxes, of_fluxes, 0);
    for (int how = 0; how < 2; how++)
        check("planes", planes, of_planes, how);
    check("other", other_0, of_other_0, 0);
    check("other", other_1, of_other_1, 1);
    check("other", other_2, of_other_2, 2);
    check("other", other_3, of_other_3, 3);
    check("other", other_4, of_other_4, 4);
    check("other", other_5, of_other_5, 5);
    check("other", other_6, of_other_6, 6);
    check("other", other_7, of_other_7, 7);
    for (int distance = 0; distance <= 8; distance += 1 + distance)
        check_given(distance);
    return failures != 0;
}
