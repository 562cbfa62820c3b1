/* Backward Euler with a Newton iteration inside every step, stopped by a tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int enzyme_const;
int enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static double step(double y, double h, double lambda)
{
    /* Solve z - y - h * (-lambda z^3 + sin z) = 0. */
    double z = y;
    for (int it = 0; it < 50; it++) {
        double r = z - y - h * (-lambda * z * z * z + sin(z));
        double d = 1.0 - h * (-3.0 * lambda * z * z + cos(z));
        double dz = r / d;
        z -= dz;
        if (fabs(dz) < 1e-14)
            break;
    }
    return z;
}

double integrate(double y0, double lambda, int n)
{
    double y = y0;
    for (int i = 0; i < n; ++i)
        y = step(y, 0.1, lambda);
    return y;
}

int main(void)
{
    double y0 = 1.7, lambda = 0.9;
    double dl = __enzyme_autodiff((void *)integrate, enzyme_const, y0, enzyme_out, lambda, enzyme_const, 25);
    double dy = __enzyme_autodiff((void *)integrate, enzyme_out, y0, enzyme_const, lambda, enzyme_const, 25);
    double e = 1e-5;
    double fl = (integrate(y0, lambda + e, 25) - integrate(y0, lambda - e, 25)) / (2 * e);
    double fy = (integrate(y0 + e, lambda, 25) - integrate(y0 - e, lambda, 25)) / (2 * e);
    if (fabs(dl - fl) > 1e-7 * (1 + fabs(fl)) || fabs(dy - fy) > 1e-7 * (1 + fabs(fy)) || dl != dl || dy != dy) {
        fprintf(stderr, "implicit Newton: %g vs %g, %g vs %g\n", dl, fl, dy, fy);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
