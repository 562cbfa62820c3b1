// Loops of which several iterations run together in the derivative: matrix products, dot products that keep their order, sizes that leave a rest; and those that must not: recurrences,
// results that the next iteration reads, one array in two roles, shadows that overlap.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup, enzyme_primal_return;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double product(const double *a, const double *b, int n)
{
    double *c = malloc((size_t)(n * n + 1) * sizeof *c), sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    for (int i = 0; i < n * n; i++)
        sum += sin(c[i]);
    free(c);
    return sum;
}

/* Both factors are the same array. */
static double square(const double *a, const double *b, int n) { return product(a, a, n) + b[0]; }

/* Layers: dot products with a function of each, unsigned counters. */
static double layers(const double *w, const double *x, int n)
{
    size_t size = (size_t)n;
    double *now = malloc((size + 1) * sizeof *now), *next = malloc((size + 1) * sizeof *next), sum = 0.0;
    for (size_t i = 0; i < size; i++)
        now[i] = x[i];
    for (int layer = 0; layer < 2; layer++) {
        for (size_t i = 0; i < size; i++) {
            double s = 0.1;
            for (size_t k = 0; k < size; k++)
                s += w[i * size + k] * now[k];
            next[i] = tanh(s);
        }
        memcpy(now, next, size * sizeof *now);
    }
    for (size_t i = 0; i < size; i++)
        sum += now[i];
    free(now);
    free(next);
    return sum;
}

/* Each dot product reads the result of the one before: forward substitution, and in place. */
static double substitution(const double *l, const double *b, int n)
{
    double *y = malloc((size_t)(n + 1) * sizeof *y), sum = 0.0;
    for (int i = 0; i < n; i++)
        y[i] = b[i];
    for (int i = 0; i < n; i++) {
        double s = y[i];
        for (int k = 0; k < n; k++)
            s -= 0.1 * l[i * n + k] * y[k];
        y[i] = s / (2 + l[i * n + i]);
    }
    for (int i = 0; i < n; i++)
        sum += y[i] * y[i];
    free(y);
    return sum;
}

/* Triangles, counted to the last and backwards. */
static double triangles(const double *a, const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i <= n - 1; i++) {
        double s = 0.0;
        for (int k = 0; k <= i; k++)
            s += a[i * n + k] * x[k];
        sum += s * s;
    }
    for (int i = n - 1; i >= 0; i--) {
        double s = 0.0;
        for (int k = 0; k < n; k++)
            s += a[k * n + i] * x[k];
        sum += s * x[i];
    }
    return sum;
}

/* A product with a branch and a sum in memory that all rows share. */
static double branches(const double *a, const double *x, int n)
{
    double *shared = calloc((size_t)(n + 1), sizeof *shared), sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            shared[k] += x[i] > 0.8 ? a[i * n + k] * x[i] : a[i * n + k];
    for (int k = 0; k < n; k++)
        sum += shared[k] * shared[k];
    free(shared);
    return sum;
}

enum { MOST = 11, ALL = MOST * MOST };
static double x[ALL], y[ALL], bars[2 * ALL];

static int check(const char *name, double (*f)(const double *, const double *, int), double (*gradient)(double *, double *, int), double (*forward)(const double *, const double *, int), int n)
{
    double along[2][ALL], reverse = 0.0, value, expected = f(x, y, n);
    memset(bars, 0, sizeof bars);
    value = gradient(bars, bars + ALL, n);
    if (fabs(value - expected) > 1e-13 * (1 + fabs(expected))) {
        printf("%s(%d): %.17g, not %.17g\n", name, n, value, expected);
        return 1;
    }
    for (int i = 0; i < ALL; i++) {
        along[0][i] = 0.3 + 0.01 * i;
        along[1][i] = 0.7 - 0.015 * i;
        reverse += along[0][i] * bars[i] + along[1][i] * bars[ALL + i];
    }
    double tangent = forward(along[0], along[1], n);
    if (fabs(reverse - tangent) > 1e-10 * (1 + fabs(tangent))) {
        printf("%s(%d): reverse %.17g, forward %.17g\n", name, n, reverse, tangent);
        return 1;
    }
    /* One shadow for both. */
    double apart[ALL];
    for (int i = 0; i < ALL; i++)
        apart[i] = bars[i] + bars[ALL + i];
    memset(bars, 0, sizeof bars);
    gradient(bars, bars, n);
    for (int i = 0; i < ALL; i++)
        if (fabs(bars[i] - apart[i]) > 1e-12 * (1 + fabs(apart[i]))) {
            printf("%s(%d): together %.17g, apart %.17g at %d\n", name, n, bars[i], apart[i], i);
            return 1;
        }
    return 0;
}

#define CASE(f)                                                                                                                                              \
    static double f##_gradient(double *dx, double *dy, int n) { return __enzyme_autodiff((void *)f, enzyme_primal_return, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n); } \
    static double f##_forward(const double *a, const double *b, int n) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, a, enzyme_dup, y, b, enzyme_const, n); }
CASE(product)
CASE(square)
CASE(layers)
CASE(substitution)
CASE(triangles)
CASE(branches)

int main(void)
{
    int failures = 0;
    for (int i = 0; i < ALL; i++) {
        x[i] = 0.2 + 0.37 * ((i * 7) % 11) / 11.0;
        y[i] = 0.9 - 0.21 * ((i * 5) % 13) / 13.0;
    }
    for (int n = 0; n <= MOST; n++) {
#define CHECK(f) failures += check(#f, f, f##_gradient, f##_forward, n)
        CHECK(product);
        CHECK(square);
        CHECK(layers);
        CHECK(substitution);
        CHECK(triangles);
        CHECK(branches);
    }
    return failures != 0;
}
