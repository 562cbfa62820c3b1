/* A generic fixed-step solver that takes the right-hand side as a function pointer with a void* context. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*rhs_fn)(double t, const double *y, double *dydt, void *ctx);

struct predator_prey {
    double alpha, beta, gamma, delta;
};

static void lotka(double t, const double *y, double *dydt, void *ctx)
{
    const struct predator_prey *p = ctx;
    (void)t;
    dydt[0] = p->alpha * y[0] - p->beta * y[0] * y[1];
    dydt[1] = p->delta * y[0] * y[1] - p->gamma * y[1];
}

static void midpoint(rhs_fn f, void *ctx, double *y, int n, double t0, double t1, int steps)
{
    double h = (t1 - t0) / steps;
    double *k = malloc(n * sizeof *k), *tmp = malloc(n * sizeof *tmp);
    for (int s = 0; s < steps; s++) {
        double t = t0 + s * h;
        f(t, y, k, ctx);
        for (int i = 0; i < n; i++)
            tmp[i] = y[i] + 0.5 * h * k[i];
        f(t + 0.5 * h, tmp, k, ctx);
        for (int i = 0; i < n; i++)
            y[i] += h * k[i];
    }
    free(tmp);
    free(k);
}

double loss(struct predator_prey *p)
{
    double y[2] = {1.5, 0.8};
    midpoint(lotka, p, y, 2, 0.0, 4.0, 100);
    return (y[0] - 1.0) * (y[0] - 1.0) + 2.0 * y[1] * y[1];
}

void __enzyme_autodiff(void *, ...);

int main(void)
{
    struct predator_prey p = {1.1, 0.6, 0.9, 0.5}, d;
    memset(&d, 0, sizeof d);
    __enzyme_autodiff((void *)loss, &p, &d);
    double *v = &p.alpha, *g = &d.alpha;
    int failures = 0;
    for (int i = 0; i < 4; i++) {
        double keep = v[i], e = 1e-6;
        v[i] = keep + e;
        double hi = loss(&p);
        v[i] = keep - e;
        double lo = loss(&p);
        v[i] = keep;
        double want = (hi - lo) / (2 * e);
        if (!(fabs(want - g[i]) < 1e-6 * fmax(1, fabs(want)))) {
            printf("FAIL: parameter %d, enzyme %.12g, numerical %.12g\n", i, g[i], want);
            failures++;
        }
    }
    return failures ? 1 : 0;
}
