// What is returned: nothing, a number, structs by position, nested structs and arrays, and declared results that do not exist.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_primal_return;
struct three { double d[3]; };
struct nested { struct { double a; double b; } ab; double c; };
struct mixed { float x; double y; };
struct three __enzyme_autodiff_three(void *, ...);
struct nested __enzyme_autodiff_nested(void *, ...);
struct mixed __enzyme_autodiff_mixed(void *, ...);
double __enzyme_autodiff(void *, ...);
double *__enzyme_autodiff_pointer(void *, ...);
struct three __enzyme_autodiff_primal(void *, ...);

static double f(double a, double b, double c) { return a * b * c; }
static double g(float x, double y) { return x * x * y; }
static void h(double *x) { x[0] *= 2; }
static double h2(double x, double y) { return x * y; }

static int failures;
static void check(const char *what, double got, double want) {
    if (fabs(got - want) > 1e-6 * (1 + fabs(want))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    struct three t = __enzyme_autodiff_three((void *)f, 2.0, 3.0, 5.0);
    check("array 0", t.d[0], 15);
    check("array 1", t.d[1], 10);
    check("array 2", t.d[2], 6);
    struct nested n = __enzyme_autodiff_nested((void *)f, 2.0, 3.0, 5.0);
    check("nested a", n.ab.a, 15);
    check("nested b", n.ab.b, 10);
    check("nested c", n.c, 6);
    struct mixed m = __enzyme_autodiff_mixed((void *)g, 3.0f, 2.0);
    check("float member", m.x, 12);
    check("double member", m.y, 9);
    double x[1] = {1}, dx[1] = {1};
    __enzyme_autodiff((void *)h, enzyme_dup, x, dx);
    check("in place", dx[0], 2);
    (void)__enzyme_autodiff_pointer((void *)h, x, dx);
    check("again", dx[0], 4);
    check("value", x[0], 4);
    struct three p = __enzyme_autodiff_primal((void *)h2, enzyme_primal_return, 3.0, 4.0);
    check("primal", p.d[0], 12);
    check("x", p.d[1], 4);
    check("y", p.d[2], 3);
    return failures;
}
