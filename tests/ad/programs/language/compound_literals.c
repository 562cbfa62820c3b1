/* Compound literals as arguments, of arrays too; designated initialisers with ranges and nesting. */
#include <math.h>
#include <stdio.h>

typedef struct { double lo, hi; } interval;
typedef struct { const char *name; interval range; double weights[4]; } config;

extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double width(interval i) { return i.hi - i.lo; }
static double dot(const double *a, const double *b, int n)
{
    double s = 0;
    while (n-- > 0)
        s += *a++ * *b++;
    return s;
}

static double score(const config *c, double x)
{
    double u = (x - c->range.lo) / width(c->range);
    return dot(c->weights, (double[]){1, u, u * u, u * u * u}, 4);
}

double evaluate(const double *p)
{
    config c = {.range = {.hi = p[1], .lo = p[0]}, .weights = {[1] = p[2], [3] = p[0] * p[2]}, .name = "test"};
    double *q = (double[3]){p[0], p[1]};
    q[2] += score(&c, 0.4) * score(&(config){.range = {0, p[1]}, .weights = {1, 2, 3, p[2]}}, 0.7);
    return q[2] + width((interval){.lo = q[0], .hi = q[1] * q[1]});
}

int main(void)
{
    double p[3] = {0.1, 1.7, 0.6}, g[3] = {0};
    __enzyme_autodiff((void *)evaluate, enzyme_dup, p, g);
    for (int i = 0; i < 3; i++) {
        double k = p[i];
        p[i] = k + 1e-6;
        double a = evaluate(p);
        p[i] = k - 1e-6;
        double b = evaluate(p);
        p[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("p[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
