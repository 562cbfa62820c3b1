// Numbers that all iterations read, and an index that nobody knows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;

static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

struct model { double scale, w[4]; int n; };
static double f(const struct model *m, const double *x, const int *idx)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 3)
    for (int i = 0; i < m->n; i++) {
        double t = 0;
        for (int k = 0; k < 4; k++) t += m->w[k] * x[idx[i]] * k;
        s += m->scale * t * t;
    }
    return s;
}
int main(void)
{
    struct model m = {1.5, {0.1, 0.2, 0.3, 0.4}, 50}, d = {0};
    double x[50], dx[50] = {0}; int idx[50];
    for (int i = 0; i < 50; i++) x[i] = 0.1 * i - 1, idx[i] = i * i % 50;
    __enzyme_autodiff((void *)f, enzyme_dup, &m, &d, enzyme_dup, x, dx, enzyme_const, idx);
    double h = 1e-6;
    struct model p = m, q = m; p.scale += h; q.scale -= h;
    check("scale", 0, d.scale, (f(&p, x, idx) - f(&q, x, idx)) / (2 * h));
    for (int k = 0; k < 4; k++) { p = q = m; p.w[k] += h; q.w[k] -= h; check("w", 0, d.w[k], (f(&p, x, idx) - f(&q, x, idx)) / (2 * h)); }
    for (int i = 0; i < 50; i++) { double o = x[i]; x[i] = o + h; double a = f(&m, x, idx); x[i] = o - h; double b = f(&m, x, idx); x[i] = o; check("x", 0, dx[i], (a - b) / (2 * h)); }
    return failures != 0;
}
