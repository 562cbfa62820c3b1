// Variables with cleanup functions: called at the end of their scope, by break, continue and return, last variable first.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

#define AUTOFREE __attribute__((cleanup(release)))

static void release(double **p) { free(*p); }

static double total, scale;

struct guard {
    double *where, old;
};

static void restore(struct guard *g) { *g->where = g->old; }

static void add_up(const double *v) { total += *v * scale; }

enum { N = 5 };

static double buffers(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        AUTOFREE double *b = malloc(2 * sizeof(double));
        b[0] = x[i];
        b[1] = b[0] * x[0];
        if (i == 1)
            continue;
        s += b[1] * b[0];
        if (i == 3)
            break;
    }
    return s;
}

/* What a cleanup does is seen behind the scope, not by the value that is returned. */
static double sums(const double *x, int n)
{
    total = 0;
    scale = x[0];
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(add_up))) double v = x[i] * x[i];
        __attribute__((cleanup(restore))) struct guard g = {&scale, scale};
        scale *= 1 + v;
        switch (i) {
        case 2:
            continue;
        default:
            v += scale * x[1];
        }
    }
    return total * scale;
}

static double first_large(const double *x, int n, double limit)
{
    __attribute__((cleanup(add_up))) double all = 1;
    for (int i = 0; i < n; i++) {
        AUTOFREE double *square = malloc(sizeof(double));
        *square = x[i] * x[i];
        all += *square;
        if (*square > limit)
            return *square * all;
    }
    return all;
}

static double returns(const double *x, int n)
{
    total = 0;
    scale = 2;
    double s = first_large(x, n, 1) + first_large(x, n, 100);
    return s * total;
}

static int failures;

static void check(const char *name, double (*f)(const double *, int), const double *g, const double *t)
{
    double x[N] = {0.7, 0.4, 1.3, 0.9, 0.6};
    for (int i = 0; i < N; i++) {
        double h = 1e-6, keep = x[i];
        x[i] = keep + h;
        double above = f(x, N);
        x[i] = keep - h;
        double difference = (above - f(x, N)) / (2 * h);
        x[i] = keep;
        if (!(fabs(g[i] - t[i]) < 1e-12 * (1 + fabs(t[i]))) || !(fabs(t[i] - difference) < 1e-6 * (1 + fabs(t[i])))) {
            printf("%s, %d: %.12g %.12g %.12g\n", name, i, g[i], t[i], difference);
            failures++;
        }
    }
}

#define CHECK(f)                                                                              \
    do {                                                                                      \
        double x[N] = {0.7, 0.4, 1.3, 0.9, 0.6}, g[N] = {0}, t[N];                            \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, N);                      \
        for (int i = 0; i < N; i++) {                                                         \
            double d[N] = {0};                                                                \
            d[i] = 1;                                                                         \
            t[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, N);            \
        }                                                                                     \
        check(#f, f, g, t);                                                                   \
    } while (0)

int main(void)
{
    CHECK(buffers);
    CHECK(sums);
    CHECK(returns);
    return failures != 0;
}
