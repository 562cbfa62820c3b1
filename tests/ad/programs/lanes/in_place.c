// Loops that write where they read ahead (a binomial tree, a table of differences, upwind transport in place): in the mirror an iteration adds to what those before it have already read, so strips
// run from the last to the first and each reads before it adds. Beside them loops that read what they wrote, which must stay in order. Lengths around those of a strip.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { MOST = 520 };

static double *copy(const double *x, int n)
{
    double *v = malloc((MOST + 4) * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = x[i];
    return v;
}

static double finish(double *v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i] * (1 + i % 3);
    free(v);
    return sum;
}

static double tree(const double *x, const double *c, int n)
{
    double *v = copy(x, n);
    for (int t = n - 1; t > n - 6 && t > 0; t--)
        for (int i = 0; i < t; i++)
            v[i] = c[0] * (c[1] * v[i + 1] + (1 - c[1]) * v[i]);
    return finish(v, n);
}

static double differences(const double *x, const double *c, int n)
{
    double *v = copy(x, n);
    for (int t = 1; t < 4; t++)
        for (int i = 0; i < n - t; i++)
            v[i] += c[t] * (v[i + 1] - v[i]);
    return finish(v, n);
}

/* Two steps ahead, nonlinear, and the other array is a neighbour. */
static double ahead(const double *x, const double *c, int n)
{
    double *v = copy(x, n), *w = copy(x, n);
    for (int t = 0; t < 3; t++)
        for (int i = 0; i + 2 < n; i++) {
            v[i] = v[i] * v[i + 2] * c[0] + w[i + 1];
            w[i] = w[i] - 0.1 * w[i + 1] * v[i + 1] * c[2];
        }
    return finish(v, n) + finish(w, n);
}

/* Ahead and behind: behind is what this sweep wrote. */
static double both(const double *x, const double *c, int n)
{
    double *v = copy(x, n);
    for (int t = 0; t < 3; t++)
        for (int i = 1; i + 1 < n; i++)
            v[i] = 0.3 * v[i] + c[0] * 0.2 * v[i - 1] + c[1] * 0.1 * v[i + 1] * v[i];
    return finish(v, n);
}

static double behind(const double *x, const double *c, int n)
{
    double *v = copy(x, n);
    for (int i = 1; i < n; i++)
        v[i] = c[0] * v[i] + 0.5 * c[1] * v[i - 1];
    return finish(v, n);
}

/* It counts down and reads what lies before. */
static double downwards(const double *x, const double *c, int n)
{
    double *v = copy(x, n);
    for (int t = 0; t < 3; t++)
        for (int i = n - 1; i > 0; i--)
            v[i] = c[0] * v[i] + 0.5 * c[1] * v[i - 1] * v[i];
    return finish(v, n);
}

/* One place that the loop runs over adds to all that follow. */
static double pivot(const double *x, const double *c, int n)
{
    double *v = copy(x, n);
    int k = n / 2;
    for (int i = 0; i < n; i++)
        v[i] = c[0] * v[i] + 0.01 * v[k] * v[k];
    return finish(v, n);
}

static double x[MOST], c[4] = {0.9, 0.55, 0.3, 0.2}, dx[MOST], dc[4], ex[MOST], ec[4];

static int compare(const char *name, int n, double reverse, double forward)
{
    if (fabs(reverse - forward) <= 1e-10 * (1 + fabs(forward)))
        return 0;
    printf("%s(%d): reverse %.17g, forward %.17g\n", name, n, reverse, forward);
    return 1;
}

#define CHECK(f)                                                                                          \
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {                                           \
        int n = sizes[s];                                                                                 \
        memset(dx, 0, sizeof dx);                                                                         \
        memset(dc, 0, sizeof dc);                                                                         \
        __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, c, dc, enzyme_const, n);              \
        for (int k = 0; k < n + 4; k += n < 20 || k >= n ? 1 : 37) {                                      \
            double *e = k < n ? &ex[k] : &ec[k - n];                                                      \
            *e = 1.0;                                                                                     \
            double forward = __enzyme_fwddiff((void *)f, enzyme_dup, x, ex, enzyme_dup, c, ec, enzyme_const, n); \
            failures += compare(#f, n, k < n ? dx[k] : dc[k - n], forward);                               \
            *e = 0.0;                                                                                     \
        }                                                                                                 \
    }

int main(void)
{
    static const int sizes[] = {3, 9, 255, 256, 257, 258, 511, 513, MOST};
    int failures = 0;
    for (int i = 0; i < MOST; i++)
        x[i] = 0.5 + 0.4 * sin(i);
    CHECK(tree)
    CHECK(differences)
    CHECK(ahead)
    CHECK(both)
    CHECK(behind)
    CHECK(downwards)
    CHECK(pivot)
    return failures != 0;
}
