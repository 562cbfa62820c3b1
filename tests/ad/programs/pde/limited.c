/* Values that are stored and then corrected in branches: limiters, cut-offs and clamps of array elements, one after the other and inside each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const;
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
    double *c, *p, *other;
    int n;
} fields;

static void limit(fields *f, const double *u, int round)
{
    for (int i = 0; i < f->n; i++) {
        f->c[i] = u[i] * u[(i + 1) % f->n] + 0.3 * f->p[i];
        if (f->c[i] < 0)
            f->c[i] = 0;
        else if (f->c[i] > 1)
            f->c[i] = 1;
        f->p[i] = sin(f->c[i] + u[i]);
        if (f->p[i] < -0.5) {
            f->p[i] = -0.5 + 0.01 * f->c[i];
            if (u[i] < -0.9)
                f->p[i] *= u[i];
        }
        if (round > 0 && fabs(f->p[i]) < 0.2)
            f->p[i] = 0.2 * f->p[i];
        /* Two elements that may be one: the second correction is of what the first left. */
        int k = (i * 7) % f->n;
        f->other[i] = u[i] * f->p[i];
        f->other[k] = 2 * u[k];
        if (f->other[i] > 0.5)
            f->other[i] = 0.5 + 0.1 * f->other[k];
        f->other[k] += f->other[i];
        if (f->other[k] < 0)
            f->other[i] = u[k] * f->other[k];
    }
}

static double total(const double *u, int n)
{
    fields f = {malloc(n * sizeof(double)), calloc(n, sizeof(double)), calloc(n, sizeof(double)), n};
    double s = 0;
    for (int round = 0; round < 3; round++) {
        limit(&f, u, round);
        for (int i = 0; i < n; i++)
            s += f.c[i] * f.c[i] * u[i] + f.p[i] * (round + 1) + f.other[i] * f.other[i];
    }
    free(f.c);
    free(f.p);
    free(f.other);
    return s;
}

int main(void)
{
    enum { N = 37 };
    double u[N], bar[N] = {0};
    for (int i = 0; i < N; i++)
        u[i] = 1.7 * sin(1.3 * i + 0.2);
    __enzyme_autodiff((void *)total, enzyme_dup, u, bar, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double h = 1e-6, v[N], dot[N] = {0};
        for (int j = 0; j < N; j++)
            v[j] = u[j];
        v[i] = u[i] + h;
        double above = total(v, N);
        v[i] = u[i] - h;
        double difference = (above - total(v, N)) / (2 * h);
        dot[i] = 1;
        double forward = __enzyme_fwddiff((void *)total, enzyme_dup, u, dot, enzyme_const, N);
        if (!(fabs(bar[i] - difference) < 1e-6 * (1 + fabs(difference))) || !(fabs(bar[i] - forward) < 1e-12 * (1 + fabs(forward)))) {
            printf("%d: reverse %.12g, forward %.12g, difference %.12g\n", i, bar[i], forward, difference);
            return 1;
        }
    }
    return 0;
}
