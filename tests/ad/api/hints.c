// Hints and what is passed along: __enzyme_iter, __enzyme_virtualreverse, no-free and recompute attributes, markers that change nothing.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int __enzyme_iter(int, int);
void *__enzyme_virtualreverse(void *);
extern int enzyme_dup, enzyme_const, enzyme_runtime_activity, enzyme_strong_zero, enzyme_not_overwritten;
static double sum(double x, int n) {
    double s = 0;
    for (int i = 0; i < __enzyme_iter(n, 100); i++) s += x * i;
    return s;
}
static double square(double x) { return x * x; }
struct object { double (*method)(double); double value; };
static double call(struct object *o) { return square(o->value); }
void *__enzyme_nofree_square[] = {(void *)square};
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("iter", __enzyme_autodiff((void *)sum, 2.0, 4), 6);
    check("primal", sum(2, 4), 12);
    check("outside", __enzyme_iter(3, 10), 3);
    struct object o = {square, 3}, d = {(double (*)(double))__enzyme_virtualreverse((void *)square), 0};
    __enzyme_autodiff((void *)call, &o, &d);
    check("object", d.value, 6);
    check("shadow of a function", d.method != 0, 1);
    check("strong zero", __enzyme_autodiff((void *)square, enzyme_strong_zero, 4.0), 8);
    check("runtime activity", __enzyme_fwddiff((void *)square, enzyme_runtime_activity, 4.0, 1.0), 8);
    return failures;
}
