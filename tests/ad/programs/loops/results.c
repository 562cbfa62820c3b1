// Loops that leave results in memory of the caller: an iteration and its reverse run together where iterations do not meet there and nothing behind the loop looks at it.
#include "check.h"

void __enzyme_autodiff(void *, ...);

enum { N = 12, STEPS = 7 };

static double walk(double a, double b)
{
    double s = a;
    for (int k = 0; k < STEPS; k++)
        s = sin(s) * b + 0.3 * a * s;
    return s;
}

static void mapped(double *x, double *out, int n)
{
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int k = 0; k < STEPS; k++)
            s = sin(s) + 0.5 * x[i] * s;
        out[i] = s;
    }
}
/* The old value of the place goes in, and comes out as part of the new one. */
static void updated(double *x, double *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] += out[i] * walk(x[i], x[(i + 1) % n]);
}
static void in_place(double *x, double *out, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = walk(x[i], 0.5);
    out[0] = 1;
}
static void backwards(double *x, double *out, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        out[n - 1 - i] = walk(x[i], x[0]);
        if (x[i] > 0)
            out[n - 1 - i] = walk(x[i], 0.25);
    }
}
/* Each iteration reads what the one before left. */
static void chained(double *x, double *out, int n)
{
    for (int i = 1; i < n; i++)
        out[i] = walk(x[i], out[i - 1]);
}
/* Each reads what a later one will overwrite. */
static void ahead(double *x, double *out, int n)
{
    for (int i = 0; i + 1 < n; i++)
        out[i] = walk(x[i], out[i + 1]);
}
/* Two iterations write to each place. */
static void shared(double *x, double *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i / 2] = walk(x[i], 0.75);
}
static void overwritten(double *x, double *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = walk(x[i], 0.5);
    out[n / 2] = x[0] * x[1];
}
static void used(double *x, double *out, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = walk(x[i], 0.5);
    for (int i = 0; i < n; i++)
        sum += out[i] * out[i];
    out[0] = sum;
}
/* Rows of a matrix, with a sum over all of them. */
static void rows(double *x, double *out, int n)
{
    double total = 0;
    for (int i = 0; i < n / 4; i++)
        for (int j = 0; j < 4; j++) {
            double s = walk(x[i * 4 + j], x[j]);
            out[i * 4 + j] = s;
            total += s * s;
        }
    x[0] = total;
}
/* A row is written, then its first place once more. */
static void twice(double *x, double *out, int n)
{
    for (int i = 0; i < n / 4; i++) {
        for (int j = 0; j < 4; j++)
            out[i * 4 + j] = walk(x[i * 4 + j], 0.5);
        out[i * 4] = x[i] * x[i + 1];
    }
}
static void chosen(double *x, double *out, int n)
{
    int at[N];
    for (int i = 0; i < n; i++)
        at[i] = (5 * i) % n;
    for (int i = 0; i < n; i++)
        out[at[i]] = walk(x[i], 0.5);
}

typedef void function(double *, double *, int);
static double x[2 * N], weights[2 * N], x_bar[2 * N], given[2 * N];
static function *now;
static int apart;

/* The results, and what is left of the arguments, each with its weight. `apart` is where the second argument begins. */
static double value(void)
{
    double all[2 * N], sum = 0;
    memcpy(all, x, sizeof all);
    now(all, all + apart, N);
    for (int i = 0; i < N + apart; i++)
        sum += weights[i] * all[i];
    return sum;
}

#define TRY(f)                                                                                                             \
    do {                                                                                                                   \
        now = f;                                                                                                           \
        memcpy(given, x, sizeof given);                                                                                    \
        memcpy(x_bar, weights, sizeof x_bar);                                                                              \
        __enzyme_autodiff((void *)f, enzyme_dup, given, x_bar, enzyme_dup, given + apart, x_bar + apart, enzyme_const, N); \
        failures += check_gradient(#f, value, x, x_bar, N + apart);                                                        \
    } while (0)

int main(void)
{
    int failures = 0;
    check_fill(x, 2 * N, -0.9, 0.9);
    check_fill(weights, 2 * N, -1, 1);
    /* One behind the other, and overlapping by all but a few places. */
    int distances[] = {N, 1, 3};
    for (int k = 0; k < 3; k++) {
        apart = distances[k];
        TRY(mapped);
        TRY(updated);
        TRY(in_place);
        TRY(backwards);
        TRY(chained);
        TRY(ahead);
        TRY(shared);
        TRY(overwritten);
        TRY(used);
        TRY(rows);
        TRY(twice);
        TRY(chosen);
    }
    return failures != 0;
}
