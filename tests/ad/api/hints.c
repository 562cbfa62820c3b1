// Hints and what is passed along: __enzyme_iter, __enzyme_virtualreverse, no-free and recompute attributes, markers and calls that change nothing.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int __enzyme_iter(int, int);
void *__enzyme_virtualreverse(void *);
void __enzyme_ptr_size_hint(void *, long), __enzyme_set_checkpointing(unsigned long), __enzyme_set_fixed_point(double, long, void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_runtime_activity, enzyme_strong_zero, enzyme_not_overwritten;
static double sum(double x, int n) {
    double s = 0;
    for (int i = 0; i < __enzyme_iter(n, 100); i++) s += x * i;
    return s;
}
static double square(double x) { return x * x; }
static double product(double *x, int n) {
    double s = 1;
    __enzyme_ptr_size_hint(x, n * (long)sizeof *x);
    for (int i = 0; i < n; i++) {
        __enzyme_set_checkpointing(1);
        s *= x[i];
    }
    return s;
}
static double root(double a) {
    double x = 1;
    for (int i = 0; i < 30; i++) {
        __enzyme_set_fixed_point(1e-9, -1, (void *)0, &x, (long)sizeof x);
        x = 0.5 * (x + a / x);
    }
    return x;
}
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
    double x[3] = {2, 3, 5}, b[3] = {0};
    __enzyme_ptr_size_hint(x, sizeof x);
    __enzyme_autodiff((void *)product, x, b, 3);
    check("sizes and schedules", b[0] * 10000 + b[1] * 100 + b[2], 151006);
    check("a fixed point", __enzyme_autodiff((void *)root, 4.0), 0.25);
    check("its tangent", __enzyme_fwddiff((void *)root, 4.0, 1.0), 0.25);
    struct object o = {square, 3}, d = {(double (*)(double))__enzyme_virtualreverse((void *)square), 0};
    __enzyme_autodiff((void *)call, &o, &d);
    check("object", d.value, 6);
    check("shadow of a function", d.method != 0, 1);
    check("strong zero", __enzyme_autodiff((void *)square, enzyme_strong_zero, 4.0), 8);
    check("runtime activity", __enzyme_fwddiff((void *)square, enzyme_runtime_activity, 4.0, 1.0), 8);
    return failures;
}
