// Custom derivatives inside of each other, in both modes, under second derivatives, and of functions that are called through pointers.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
static double soft(double x) { return log(1 + exp(x)); }
static double soft_tangent(double x, double dx) { return dx / (1 + exp(-x)); }
static double soft_forward(double x) { return soft(x); }
static double soft_gradient(double x, double seed) { return seed / (1 + exp(-x)); }
#pragma adjoin derivative(soft) forward(soft_tangent) reverse(soft_forward, soft_gradient)
static double layer(double x) { return soft(soft(x) * x); }
static double prime(double x) { return __enzyme_autodiff((void *)layer, x); }
static double apply(double (*f)(double), double x) { return f(x) * f(2 * x); }
static double choose(double x) { return apply(soft, x); }
static double logistic(double x) { return 1 / (1 + exp(-x)); }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double x = 0.4, s = soft(x), l = logistic(x);
    double want = logistic(s * x) * (l * x + s);
    check("reverse", __enzyme_autodiff((void *)layer, x), want);
    check("forward", __enzyme_fwddiff((void *)layer, x, 1.0), want);
    double e = 1e-5, second = (prime(x + e) - prime(x - e)) / (2 * e);
    double got = __enzyme_fwddiff((void *)prime, x, 1.0);
    if (fabs(got - second) > 1e-8) failures++, printf("second: %g, not %g\n", got, second);
    check("through a pointer", __enzyme_autodiff((void *)choose, x), l * soft(2 * x) + 2 * s * logistic(2 * x));
    return failures;
}
