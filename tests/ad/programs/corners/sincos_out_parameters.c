/* Library functions with results through pointers: sincos, modf, frexp, remquo, lgamma_r; ldexp by computed exponents. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

double library(double x)
{
    double s, c, whole;
    int e, q, sign;
    sincos(x, &s, &c);
    double fraction = modf(3.3 * x, &whole);
    double mantissa = frexp(x * 5, &e);
    double r = remquo(7 * x, 2, &q);
    double lg = lgamma_r(x + 2, &sign);
    return s * c + fraction * whole + ldexp(mantissa, e - 2) + r * (q & 7) + lg * sign + scalbn(mantissa, 2);
}

int main(void)
{
    for (double x = 0.43; x < 3; x += 0.31) {
        double g = __enzyme_autodiff((void *)library, x), fd = (library(x + 1e-6) - library(x - 1e-6)) / 2e-6;
        if (!(fabs(g - fd) < 1e-6 * (1 + fabs(fd)))) {
            printf("x = %g: %g vs %g\n", x, g, fd);
            return 1;
        }
    }
    return 0;
}
