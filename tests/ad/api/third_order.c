// Third derivatives of a function of several variables, by nesting in different orders.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;
static double f(double x, double y) { return x * x * x * sin(y); }
static double fx(double x, double y) { return __enzyme_autodiff((void *)f, x, enzyme_const, y); }
static double fxx(double x, double y) { return __enzyme_fwddiff((void *)fx, x, 1.0, enzyme_const, y); }
static double fxy(double x, double y) { return __enzyme_autodiff((void *)fx, enzyme_const, x, y); }
static double fxxy(double x, double y) { return __enzyme_autodiff((void *)fxx, enzyme_const, x, y); }
static double fxyx(double x, double y) { return __enzyme_fwddiff((void *)fxy, x, 1.0, enzyme_const, y); }
static double fxyy(double x, double y) { return __enzyme_autodiff((void *)fxy, enzyme_const, x, y); }
static double fxxxx(double x, double y) { return __enzyme_fwddiff((void *)fxx, x, 1.0, enzyme_const, y); }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double x = 1.3, y = 0.4;
    check("xx", fxx(x, y), 6 * x * sin(y));
    check("xy", fxy(x, y), 3 * x * x * cos(y));
    check("xxy", fxxy(x, y), 6 * x * cos(y));
    check("xyx", fxyx(x, y), 6 * x * cos(y));
    check("xyy", fxyy(x, y), -3 * x * x * sin(y));
    check("xxx", fxxxx(x, y), 6 * sin(y));
    check("fourth", __enzyme_autodiff((void *)fxxxx, enzyme_const, x, y), 6 * cos(y));
    return failures;
}
