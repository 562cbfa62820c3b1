/* An entry point called inside a function that is differentiated again: a gradient-descent step optimised over its rate. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff_rate(void *, ...);
extern int enzyme_const, enzyme_dup;

static double inner(const double *x) { return cosh(x[0] - 1) + 0.5 * x[0] * x[1] + x[1] * x[1]; }

static double after_descent(double rate)
{
    double x[2] = {3, -2};
    for (int i = 0; i < 4; i++) {
        double g[2] = {0, 0};
        __enzyme_autodiff((void *)inner, enzyme_dup, x, g);
        x[0] -= rate * g[0];
        x[1] -= rate * g[1];
    }
    return inner(x);
}

int main(void)
{
    double h = __enzyme_fwddiff_rate((void *)after_descent, enzyme_dup, 0.07, 1.0);
    double e = 1e-6, fd = (after_descent(0.07 + e) - after_descent(0.07 - e)) / (2 * e);
    if (!(fabs(h - fd) < 1e-6 * (1 + fabs(fd)))) {
        printf("%g vs %g\n", h, fd);
        return 1;
    }
    return 0;
}
