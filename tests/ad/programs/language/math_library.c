/* A row for every function of the math library, as a table of callbacks would be too easy: a switch. */
#include <math.h>
#include <stdio.h>

extern int enzyme_out;
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

double row(double x, int which)
{
    switch (which) {
    case 0: return exp(x) + exp2(x) + expm1(x);
    case 1: return log(x) + log2(x) + log10(x) + log1p(x);
    case 2: return pow(x, 2.5) + pow(1.7, x) + pow(x, x);
    case 3: return sqrt(x) + cbrt(x) + hypot(x, 2 * x);
    case 4: return sin(x) * cos(x) + tan(x);
    case 5: return asin(x / 2) + acos(x / 2) * atan(x) + atan2(x, 2) + atan2(2, x);
    case 6: return sinh(x) + cosh(x) + tanh(x);
    case 7: return asinh(x) + acosh(1 + x) + atanh(x / 3);
    case 8: return erf(x) * erfc(x / 2);
    case 9: return tgamma(x) + lgamma(x + 1);
    case 10: return fabs(x - 2) + fmin(x, 2 * x) + fmax(x * x, x) + fdim(3, x) + fdim(x, 3);
    case 11: return fma(x, x, x) + fmod(5 * x, 3) + remainder(5 * x, 3);
    case 12: return copysign(x, -1) * floor(x) + ceil(x) * x + trunc(x) + round(x) * x + rint(x) + nearbyint(x);
    case 13: return ldexp(x, 3) + scalbn(x, -2) + logb(x);
    case 14: {
        int e;
        double m = frexp(x, &e), ip, fr = modf(3 * x, &ip);
        return m * e + fr * fr + ip;
    }
    case 15: return j0(x) + j1(x) + jn(3, x);
    case 16: return y0(x) + y1(x) + yn(2, x);
    case 17: return __builtin_sin(x) + __builtin_fabs(x) + __builtin_exp(x) + __builtin_sqrt(x);
    }
    return 0;
}

int main(void)
{
    int bad = 0;
    for (int which = 0; which <= 17; which++) {
        double x = 1.37, e = 1e-6, g = __enzyme_autodiff((void *)row, enzyme_out, x, enzyme_const, which);
        double fd = (row(x + e, which) - row(x - e, which)) / (2 * e);
        if (!(fabs(g - fd) < 1e-7 * (1 + fabs(fd)))) {
            printf("row %d: %.10g vs %.10g\n", which, g, fd);
            bad = 1;
        }
    }
    return bad;
}
