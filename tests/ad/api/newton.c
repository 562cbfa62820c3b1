// A derivative of a function that is known by a pointer, inside of a function that is differentiated: an iteration of Newton.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

extern int enzyme_const;
static double newton_const(double (*function)(double, double), double x, double p) {
    for (int i = 0; i < 8; i++) x -= function(x, p) / __enzyme_autodiff((void *)function, x, enzyme_const, p);
    return x;
}
static double square(double x, double p) { return x * x - p; }
static double cube(double x, double p) { return x * x * x - p; }
static double root2(double p) { return newton_const(square, 1, p); }
static double root3(double p) { return newton_const(cube, 1, p); }

int main(void) {
    double p = 2;
    double a = __enzyme_autodiff((void *)root2, p), b = __enzyme_autodiff((void *)root3, p);
    if (fabs(a - 0.5 / sqrt(p)) > 1e-9) return printf("square root: %g\n", a), 1;
    if (fabs(b - 1 / (3 * pow(p, 2.0 / 3))) > 1e-9) return printf("cube root: %g\n", b), 1;
    return 0;
}
