/* Chemical equilibrium by bisection: the derivative of bisection itself is zero, so a final Newton step carries it. */
#include <math.h>
#include <stdio.h>

extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
extern int enzyme_out;

static double balance(double x, double k) { return x * x / ((1 - x) * (2 - x)) - k; }

double extent(double k)
{
    double lo = 1e-12, hi = 1 - 1e-12;
    for (int i = 0; i < 60; ++i) {
        double mid = (lo + hi) / 2;
        if (balance(mid, k) > 0)
            hi = mid;
        else
            lo = mid;
    }
    double x = (lo + hi) / 2;
    /* One Newton step with the slope as a constant makes the result differentiable. */
    double h = 1e-6, slope = (balance(x + h, k) - balance(x - h, k)) / (2 * h);
    return x - balance(x, k) / slope;
}

int main(void)
{
    for (double k = 0.1; k < 5; k *= 2) {
        double g = __enzyme_autodiff((void *)extent, enzyme_out, k);
        double e = 1e-5, fd = (extent(k + e) - extent(k - e)) / (2 * e);
        if (!(fabs(g - fd) < 1e-6)) {
            printf("k = %g: %g vs %g\n", k, g, fd);
            return 1;
        }
    }
    return 0;
}
