// Loops whose trip counts depend on data; early exits; goto.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static double root(double a) {
    double x = a;
    while (fabs(x * x - a) > 1e-14) x = 0.5 * (x + a / x);
    return x;
}
static double first(const double *x, int n, double bound) {
    for (int i = 0; i < n; i++) {
        if (x[i] > bound) return x[i] * x[i];
        if (x[i] < -bound) break;
    }
    return bound;
}
static double jump(double x) {
    int n = 0;
again:
    x = x * x;
    if (++n < 3) goto again;
    return x;
}
void __enzyme_autodiff_void(void *, ...);
extern int enzyme_const;
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("root", __enzyme_autodiff((void *)root, 2.0), 0.5 / sqrt(2));
    check("root, forward", __enzyme_fwddiff((void *)root, 2.0, 1.0), 0.5 / sqrt(2));
    double x[4] = {0.1, 0.2, 3, 4}, g[4] = {0};
    __enzyme_autodiff_void((void *)first, x, g, 4, enzyme_const, 1.0);
    check("return", g[2], 6), check("others", g[0] + g[1] + g[3], 0);
    check("goto", __enzyme_autodiff((void *)jump, 1.1), 8 * pow(1.1, 7));
    return failures;
}
