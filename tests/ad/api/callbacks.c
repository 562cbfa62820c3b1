// Functions that take functions, differentiated with a known callback.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
static double integrate(double (*f)(double, double), double p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += f((i + 0.5) / n, p) / n;
    return s;
}
static double kernel(double t, double p) { return exp(-p * t); }
static double area(double p) { return integrate(kernel, p, 50); }
static double polynomial(double t, double p) { return p * p * t; }
static double other(double p) { return integrate(polynomial, p, 50); }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double p = 1.3, want = 0;
    for (int i = 0; i < 50; i++) want += -((i + 0.5) / 50) * exp(-p * (i + 0.5) / 50) / 50;
    check("area", __enzyme_autodiff((void *)area, p), want);
    check("area, forward", __enzyme_fwddiff((void *)area, p, 1.0), want);
    check("other", __enzyme_autodiff((void *)other, p), 2 * p * 0.5);
    check("as an argument", __enzyme_autodiff((void *)integrate, enzyme_const, kernel, p, 50), want);
    return failures;
}
