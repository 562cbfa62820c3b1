// Derivatives inside functions that are differentiated: of another function, in a loop, with their own markers, as a derivative of a solver.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static double potential(double x, double k) { return k * x * x * x; }
static double force(double x, double k) { return -__enzyme_autodiff((void *)potential, x, enzyme_const, k); }
static double simulate(double k) {
    double x = 1, v = 0, h = 0.01;
    for (int i = 0; i < 20; i++) {
        v += h * force(x, k);
        x += h * v;
    }
    return x;
}
static double taylor(double x) {
    double f = x * x * x, d = __enzyme_fwddiff((void *)potential, x, 1.0, enzyme_const, 1.0);
    return f + 0.1 * d;
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double k = 0.8, e = 1e-6;
    double slope = (simulate(k + e) - simulate(k - e)) / (2 * e);
    double r = __enzyme_autodiff((void *)simulate, k), f = __enzyme_fwddiff((void *)simulate, k, 1.0);
    if (fabs(r - slope) > 1e-8 || fabs(f - slope) > 1e-8) failures++, printf("simulate: %g %g, not %g\n", r, f, slope);
    check("taylor", __enzyme_autodiff((void *)taylor, 2.0), 3 * 4 + 0.1 * 6 * 2);
    check("taylor, forward", __enzyme_fwddiff((void *)taylor, 2.0, 1.0), 3 * 4 + 0.1 * 6 * 2);
    check("force", __enzyme_autodiff((void *)force, 2.0, enzyme_const, 3.0), -6 * 2 * 3);
    return failures;
}
