/* Globals: constants, state, workspace that is allocated on first use, tables filled on first use, pointers. */
#include "check.h"

static const double weights[3] = {0.5, 0.25, 0.125};
static double scale = 2.0, state[4], last;
static int calls, order[3] = {2, 0, 1};

/* Read only. */
static double constants(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += weights[i % 3] * x[order[i % 3] % n] * x[i] * scale;
    calls++;
    return s;
}
GRADIENT(constants)

/* Written, then read: within one call. */
static double stateful(double *x, int n)
{
    for (int i = 0; i < 4; i++)
        state[i] = x[i % n] * x[i % n];
    last = state[1] * state[2];
    for (int i = 1; i < 4; i++)
        state[i] += state[i - 1] * last;
    return state[3] * last;
}
GRADIENT(stateful)

/* What was there before the call is inactive, and does not leak from one call to the next. */
static double memory_of_calls;

static double leaky(double *x, int n)
{
    double before = memory_of_calls;
    memory_of_calls = x[0] * x[n - 1];
    double s = before * 0 + memory_of_calls * x[0];
    memory_of_calls = 1.0;
    return s;
}
GRADIENT(leaky)

/* One of two, through a pointer. */
static double first, second;

static double picked(double *x, int n)
{
    double *p = n > 3 ? &first : &second, *q = n > 3 ? &second : &first;
    *p = x[0] * x[1];
    *q = *p * x[2];
    return first * second;
}
GRADIENT(picked)

/* A workspace that stays. */
static double *work;
static int room;

static double workspace(double *x, int n)
{
    if (room < n) {
        free(work);
        work = malloc(n * sizeof *work);
        room = n;
    }
    for (int i = 0; i < n; i++)
        work[i] = x[i] * x[i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += work[i] * work[n - 1 - i];
    return s;
}
GRADIENT(workspace)

/* A table of constants that the first call fills. */
static double table[16];
static int filled;

static double lazy(double *x, int n)
{
    if (!filled) {
        for (int i = 0; i < 16; i++)
            table[i] = 1.0 / (i + 1);
        filled = 1;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += table[i] * x[i] * x[i];
    return s;
}
GRADIENT(lazy)

/* A struct of settings, with a pointer to constants. */
struct settings {
    int terms;
    double rate;
    const double *coefficients;
};
static struct settings settings = {3, 0.1, weights};

static double configured(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < settings.terms; k++)
            s += settings.coefficients[k] * pow(x[i], k + 1) * settings.rate;
    return s;
}
GRADIENT(configured)

int main(void)
{
    int bad = CHECK(constants, 5) | CHECK(stateful, 4) | CHECK(leaky, 3) | CHECK(picked, 4) | CHECK(picked, 3) | CHECK(lazy, 5) |
              CHECK(configured, 4);
    double x[3] = {1, 2, 3}, bar[3] = {0};
    for (int k = 1; k <= 3; k++) {
        memset(bar, 0, sizeof bar);
        workspace_gradient(x, bar, 3);
        double y[3] = {1, 4, 9};
        for (int i = 0; i < 3; i++)
            if (fabs(bar[i] - 4 * x[i] * y[2 - i]) > 1e-12) {
                printf("workspace: d/dx[%d] is %g\n", i, bar[i]);
                bad = 1;
            }
    }
    free(work);
    return bad;
}
