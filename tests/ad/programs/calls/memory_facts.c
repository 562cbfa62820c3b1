// Functions that stay calls (they call themselves) and read memory that lasts until their reverse, that changes after the call, or that only seems to last.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 7 };

/* y = a * x^2, in place or not; `again` keeps it from being inlined. */
static void squares(const double *x, double *y, double a, int n, int again)
{
    if (again > 0) {
        squares(x, y, a, n, again - 1);
        return;
    }
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] * x[i] + 0.1 * y[i];
}

static double product(const double *x, const double *y, int n, int again)
{
    double sum = 0.0;
    if (again > 0)
        return product(x, y, n, again - 1);
    for (int i = 0; i < n; i++)
        sum += sin(x[i]) * y[i] * x[n - 1 - i];
    return sum;
}

/* Reads, writes, reads again. */
static double twice(double *x, int n, int again)
{
    double sum = 0.0;
    if (again > 0)
        return twice(x, n, again - 1);
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i] * x[i];
        x[i] = cos(x[i]) * sum;
        sum += x[i] * x[i];
    }
    return sum;
}

struct model {
    double *weights;
    double scale, *own;
    int n;
};

static double weighted(const struct model *m, const double *x, int again)
{
    double sum = 0.0;
    if (again > 0)
        return weighted(m, x, again - 1);
    for (int i = 0; i < m->n; i++)
        sum += m->weights[i] * m->weights[i] * x[i] * x[i] * m->scale;
    return sum;
}

/* A function in two halves that calls another one with its own memory and with what it was given. */
static double nested(const double *x, double *out, int n, int again)
{
    double local[N] = {0}, sum;
    if (again > 0)
        return nested(x, out, n, again - 1);
    for (int i = 0; i < n; i++)
        local[i] = x[i] * x[n - 1 - i];
    sum = product(local, x, n, 1);
    squares(local, out, 0.3, n, 1);
    for (int i = 0; i < n; i++)
        local[i] = out[i] * out[i];
    return sum + product(x, local, n, 1) + product(local, local, n, 1);
}

static double shared[N];

static double from_global(double factor, int n, int again)
{
    double sum = 0.0;
    if (again > 0)
        return from_global(factor, n, again - 1);
    for (int i = 0; i < n; i++)
        sum += exp(0.1 * shared[i]) * factor;
    return sum;
}

/* What is given lasts. */
static double lasts(const double *x, int n)
{
    double y[N] = {0};
    squares(x, y, 0.7, n, 1);
    return product(x, y, n, 1);
}
/* It is changed by the caller afterwards, directly and by a call. */
static double changed(const double *x, int n)
{
    double a[N] = {0}, b[N] = {0}, sum;
    for (int i = 0; i < n; i++)
        a[i] = x[i], b[i] = 1.0 + x[i] * 0.2;
    sum = product(a, b, n, 1);
    for (int i = 0; i < n; i++)
        a[i] *= 1.5 + sum;
    sum += product(a, b, n, 1);
    squares(a, b, 0.4, n, 1);
    sum += twice(b, n, 1);
    return sum + product(a, b, n, 1);
}
/* The same memory by two ways. */
static double overlapping(const double *x, int n)
{
    double a[N + 1] = {0};
    for (int i = 0; i < n; i++)
        a[i] = x[i];
    a[n] = 0.5;
    squares(a, a + 1, 0.6, n, 1);
    squares(a, a, 0.9, n, 1);
    return product(a, a + 1, n, 1) + product(a, a, n, 1);
}
/* In a loop: the next iteration changes it. Two buffers take turns. */
static double steps(const double *x, int n)
{
    double first[N] = {0}, second[N] = {0}, *now = first, *next = second, sum = 0.0;
    for (int i = 0; i < n; i++)
        first[i] = x[i], second[i] = 0.3;
    for (int t = 0; t < 5; t++) {
        double *other = now;
        squares(now, next, 0.5, n, 1);
        now = next;
        next = other;
        sum += product(now, x, n, 1);
    }
    return sum + product(now, next, n, 1);
}
/* Pointers in a struct: what is behind them changes, though the struct does not. */
static double behind(const double *x, int n)
{
    double w[N] = {0}, v[N] = {0}, sum;
    struct model m = {w, 0.5, v, n};
    for (int i = 0; i < n; i++)
        w[i] = x[i] + 0.5, v[i] = x[i];
    sum = weighted(&m, x, 1);
    for (int i = 0; i < n; i++)
        w[i] = 0.1 * w[i] * x[i];
    sum += weighted(&m, v, 1);
    m.weights = v;
    m.scale = sum * 0.01;
    return sum + weighted(&m, w, 1);
}
static double halves(const double *x, int n)
{
    double out[N] = {0.4}, sum = nested(x, out, n, 1);
    for (int i = 0; i < n; i++)
        out[i] += x[i] * sum * 0.001;
    return sum + nested(out, shared, n, 1) + nested(x, out, n, 1);
}
static double globals(const double *x, int n)
{
    double sum;
    for (int i = 0; i < n; i++)
        shared[i] = x[i] * 1.1;
    sum = from_global(x[0], n, 1);
    squares(x, shared, 0.2, n, 1);
    sum += from_global(x[1], n, 1);
    memset(shared, 0, sizeof shared);
    return sum + from_global(sum, n, 1);
}
/* Memory that is freed, and new memory at each iteration. */
static double freed(const double *x, int n)
{
    double sum = 0.0;
    for (int t = 0; t < 4; t++) {
        double *a = malloc((size_t)n * sizeof *a);
        for (int i = 0; i < n; i++)
            a[i] = x[i] * (t + 1) + sum * 0.01;
        sum += product(a, x, n, 1);
        sum += twice(a, n, 1) * 0.01;
        free(a);
    }
    return sum;
}

typedef double function(const double *, int);

static int check(function *f, double (*gradient)(double *, double *), const char *name)
{
    double x[N], bar[N] = {0}, worst = 0.0;
    for (int i = 0; i < N; i++)
        x[i] = 0.3 + 0.11 * i;
    gradient(x, bar);
    for (int i = 0; i < N; i++) {
        double h = 1e-4, old = x[i], d[4], numeric, error;
        for (int k = 0; k < 4; k++) {
            x[i] = old + h * (k < 2 ? k - 2 : k - 1);
            memset(shared, 0, sizeof shared);
            d[k] = f(x, N);
        }
        x[i] = old;
        numeric = (d[0] - 8 * d[1] + 8 * d[2] - d[3]) / (12 * h);
        error = fabs(bar[i] - numeric) / (1e-3 + fabs(numeric));
        worst = error > worst ? error : worst;
    }
    if (!(worst < 1e-6)) {
        printf("%s: error %g\n", name, worst);
        return 1;
    }
    return 0;
}

#define GRADIENT(f) \
    static double f##_gradient(double *x, double *bar) \
    { \
        memset(shared, 0, sizeof shared); \
        return __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, N); \
    }
GRADIENT(lasts)
GRADIENT(changed)
GRADIENT(overlapping)
GRADIENT(steps)
GRADIENT(behind)
GRADIENT(halves)
GRADIENT(globals)
GRADIENT(freed)

int main(void)
{
    int bad = 0;
#define CHECK(f) bad += check(f, f##_gradient, #f)
    CHECK(lasts);
    CHECK(changed);
    CHECK(overlapping);
    CHECK(steps);
    CHECK(behind);
    CHECK(halves);
    CHECK(globals);
    CHECK(freed);
    return bad;
}
