// One function with many activities, many functions with one, all in one file; the same request twice shares its function.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
struct two { double a, b; };
struct three { double a, b, c; };
struct two __enzyme_autodiff2(void *, ...);
struct three __enzyme_autodiff3(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_out;
static double f(double a, double b, double c) { return a * b + b * c * c; }
static double f_grad(double x) { return x; }
static double f_jvp;
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double a = 2, b = 3, c = 5;
    check("a", __enzyme_autodiff((void *)f, a, enzyme_const, b, enzyme_const, c), b);
    check("b", __enzyme_autodiff((void *)f, enzyme_const, a, b, enzyme_const, c), a + c * c);
    check("c", __enzyme_autodiff((void *)f, enzyme_const, a, enzyme_const, b, c), 2 * b * c);
    struct two t = __enzyme_autodiff2((void *)f, a, enzyme_const, b, c);
    check("ac", t.a, b), check("ac", t.b, 2 * b * c);
    t = __enzyme_autodiff2((void *)f, enzyme_const, a, enzyme_out, b, enzyme_out, c);
    check("bc", t.a, a + c * c), check("bc", t.b, 2 * b * c);
    struct three g = __enzyme_autodiff3((void *)f, a, b, c);
    check("abc", g.a + g.b + g.c, b + a + c * c + 2 * b * c);
    check("again", __enzyme_autodiff((void *)f, a, enzyme_const, b, enzyme_const, c), b);
    check("own name", f_grad(7) + f_jvp, 7);
    check("forward", __enzyme_fwddiff((void *)f, a, 1.0, b, 1.0, c, 1.0), b + a + c * c + 2 * b * c);
    check("forward", __enzyme_fwddiff((void *)f, enzyme_const, a, b, 1.0, enzyme_const, c), a + c * c);
    return failures;
}
