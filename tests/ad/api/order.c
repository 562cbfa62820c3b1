// Arguments are evaluated once, also those with side effects, and in nested calls.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;
static double f(double x, double y) { return x * x * y; }
static double g(const double *x, int i) { return x[i] * x[i]; }
static int evaluated;
static double next(double x) { evaluated++; return x; }
static int index_next(void) { static int i; return i++; }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double a[3] = {1, 2, 3}, d[3] = {0}, *p = a, *q = d;
    check("once", __enzyme_autodiff((void *)f, next(2), enzyme_const, next(3)), 12);
    check("evaluated", evaluated, 2);
    __enzyme_autodiff((void *)g, enzyme_dup, p++, q++, enzyme_const, 0);
    check("p", p - a, 1), check("q", q - d, 1), check("d", d[0], 2);
    __enzyme_autodiff((void *)g, p, q, index_next() + index_next());
    check("index", d[2], 6);
    check("assignment", __enzyme_fwddiff((void *)f, a[0] = 5, 1.0, enzyme_const, a[1] += 1), 30);
    check("assigned", a[0] + a[1], 8);
    int n = 0, m = 0;
    check("nested", __enzyme_autodiff((void *)f, __enzyme_autodiff((void *)f, (n++, 1.0), enzyme_const, 1.0), enzyme_const, (m++, 2.0)), 8);
    check("n", n + m, 2);
    return failures;
}
