/* Loops that follow each other over the same range and hand arrays on: some may become one loop, others look alike and must not. */
#include "check.h"

enum { N = 13 };
void __enzyme_autodiff(void *, ...);

typedef struct {
    double x, v;
} state;

static void rate(const state *s, const double *k, state *d, int n)
{
    for (int i = 0; i < n; i++) {
        d[i].x = s[i].v;
        d[i].v = -k[i] * s[i].x * s[i].x;
    }
}

/* All loops of a step can be one. */
static double integrated(const double *start, const double *k, int n, int steps)
{
    state *s = malloc((size_t)(n + 1) * sizeof *s), *a = malloc((size_t)(n + 1) * sizeof *a), *b = malloc((size_t)(n + 1) * sizeof *b);
    state *t = malloc((size_t)(n + 1) * sizeof *t);
    double h = 0.1, sum = 0.0;
    for (int i = 0; i < n; i++) {
        s[i].x = start[i];
        s[i].v = 0.1 * i;
    }
    for (int step = 0; step < steps; step++) {
        rate(s, k, a, n);
        for (int i = 0; i < n; i++) {
            t[i].x = s[i].x + 0.5 * h * a[i].x;
            t[i].v = s[i].v + 0.5 * h * a[i].v;
        }
        rate(t, k, b, n);
        double weight = h * (1 + step % 2);
        for (int i = 0; i < n; i++) {
            s[i].x += weight * b[i].x;
            s[i].v += weight * b[i].v;
        }
    }
    for (int i = 0; i < n; i++)
        sum += s[i].x * s[i].v;
    free(s);
    free(a);
    free(b);
    free(t);
    return sum;
}

/* Arrays in one piece of memory, `n` apart; the arguments may overlap, which only the run can tell. */
static double in_one_block(const double *x, double *w, int n)
{
    double *a = w, *b = w + n, *c = w + 2 * n, sum = 0.0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < n; i++)
            a[i] = x[i] * (0.5 - 0.1 * round);
        for (int i = 0; i < n; i++)
            b[i] = 0.4 * a[i] * a[i] + (round ? b[i] : 0.0);
        for (int i = 0; i < n; i++)
            c[i] = sin(b[i]) + a[i];
        for (int i = 0; i < n; i++)
            a[i] = c[i] * b[i];
    }
    for (int i = 0; i < n; i++)
        sum += a[i] * c[i];
    return sum;
}

/* Each reads what another iteration of the loop before wrote, or writes what it still reads; or needs its result. */
static double apart(const double *x, int n)
{
    double a[N + 2] = {0}, b[N + 2] = {0}, sum = 0.0, norm = 0.0;
    for (int i = 0; i < n; i++)
        a[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        b[i] = a[i] + a[i + 1] * x[i];
    for (int i = 0; i < n; i++)
        a[i + 1] = b[i] * b[i];
    for (int i = 0; i < n; i++)
        norm += a[i] * b[i];
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i] / (1 + norm * norm);
    for (int i = 0; i < n; i++)
        a[n - 1 - i] = b[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += a[i] * x[n - 1 - i];
    return sum;
}

/* Structs in place, beside another array that is written in the reverse sweep: a loop that clang 14 once made wrong lanes of. */
static double relaxed(state *s, const double *k, int n, int steps)
{
    double sum = 0.0;
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < n; i++) {
            double x = s[i].x, v = s[i].v;
            s[i].x = x + 0.1 * v * k[i];
            s[i].v = v - 0.1 * x * x * k[i];
        }
    for (int i = 0; i < n; i++)
        sum += s[i].x * s[i].v;
    return sum;
}

static double x[N], x_bar[N], k[N], k_bar[N], w[4 * N], w_bar[4 * N];
static int n;
static double of_integrated(void) { return integrated(x, k, n, 4); }
static double of_block(void) { return in_one_block(x, w, n); }
/* The numbers that are read are overwritten. */
static double saved[N];
static double of_overlap(void)
{
    memcpy(w + n, saved, (size_t)n * sizeof *w);
    return in_one_block(w + n, w, n);
}
static double of_relaxed(void)
{
    memcpy(w, saved, sizeof saved);
    return relaxed((state *)w, k, N / 2, 3);
}
static double of_apart(void) { return apart(x, n); }

int main(void)
{
    int failures = 0;
    for (n = 0; n <= N; n += n < 3 ? 1 : 5) {
        check_fill(x, N, 0.2, 1.0);
        check_fill(k, N, 0.2, 1.0);
        memset(x_bar, 0, sizeof x_bar);
        memset(k_bar, 0, sizeof k_bar);
        __enzyme_autodiff((void *)integrated, enzyme_dup, x, x_bar, enzyme_dup, k, k_bar, enzyme_const, n, enzyme_const, 4);
        failures += check_gradient("integrated by start", of_integrated, x, x_bar, N);
        failures += check_gradient("integrated by k", of_integrated, k, k_bar, N);
        memset(x_bar, 0, sizeof x_bar);
        memset(w_bar, 0, sizeof w_bar);
        __enzyme_autodiff((void *)in_one_block, enzyme_dup, x, x_bar, enzyme_dup, w, w_bar, enzyme_const, n);
        failures += check_gradient("one block", of_block, x, x_bar, N);
        check_fill(saved, N, 0.2, 1.0);
        memcpy(w + n, saved, (size_t)n * sizeof *w);
        memset(w_bar, 0, sizeof w_bar);
        __enzyme_autodiff((void *)in_one_block, enzyme_dup, w + n, w_bar + n, enzyme_dup, w, w_bar, enzyme_const, n);
        failures += check_gradient("overlapping", of_overlap, saved, w_bar + n, n);
        memset(x_bar, 0, sizeof x_bar);
        __enzyme_autodiff((void *)apart, enzyme_dup, x, x_bar, enzyme_const, n);
        failures += check_gradient("apart", of_apart, x, x_bar, N);
    }
    check_fill(saved, N, 0.2, 1.0);
    memcpy(w, saved, sizeof saved);
    memset(w_bar, 0, sizeof w_bar);
    memset(k_bar, 0, sizeof k_bar);
    __enzyme_autodiff((void *)relaxed, enzyme_dup, w, w_bar, enzyme_dup, k, k_bar, enzyme_const, (int)N / 2, enzyme_const, 3);
    failures += check_gradient("relaxed by state", of_relaxed, saved, w_bar, N);
    failures += check_gradient("relaxed by k", of_relaxed, k, k_bar, N);
    return failures != 0;
}
