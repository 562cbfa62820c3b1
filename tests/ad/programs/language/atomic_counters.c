// C11 atomics in a program without threads: counters, a total, and members of structs.
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { N = 4 };

static atomic_int calls;
static _Atomic double seen;

struct meter {
    atomic_long hits;
    double sum;
};

static void count(struct meter *m, double v)
{
    m->hits++;
    m->sum += v * (double)m->hits;
}

static double f(const double *x, int n)
{
    struct meter m = {0, 0};
    calls = 0;
    _Atomic double total = 0;
    for (int i = 0; i < n; i++) {
        atomic_fetch_add(&calls, 2);
        calls++;
        total = total + x[i] * x[i] * atomic_load(&calls);
        count(&m, x[i]);
    }
    seen = seen + x[1];
    _Atomic double product = total * m.sum;
    return product + x[0] * atomic_load(&m.hits);
}

int main(void)
{
    double x[N] = {0.7, 0.4, 1.3, 0.9}, g[N] = {0};
    int failures = 0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double d[N] = {0}, h = 1e-6, keep = x[i];
        d[i] = 1;
        double t = __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, N);
        x[i] = keep + h;
        double above = f(x, N);
        x[i] = keep - h;
        double difference = (above - f(x, N)) / (2 * h);
        x[i] = keep;
        if (!(fabs(g[i] - t) < 1e-12 * (1 + fabs(t))) || !(fabs(t - difference) < 1e-6 * (1 + fabs(t)))) {
            printf("%d: %.12g %.12g %.12g\n", i, g[i], t, difference);
            failures++;
        }
    }
    return failures != 0;
}
