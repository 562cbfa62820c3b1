// Second derivatives of the math library: forward over reverse and reverse over reverse against differences of the first, and the first in both modes.
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static int bad;

static void check(const char *name, double x, double (*first)(double), double forward, double second, double reverse)
{
    double h = 1e-4, numeric = (8 * (first(x + h) - first(x - h)) - (first(x + 2 * h) - first(x - 2 * h))) / (12 * h), tolerance = 1e-7 * (1 + fabs(numeric));
    if (!(fabs(first(x) - forward) <= 1e-12 * (1 + fabs(forward)) && fabs(second - numeric) <= tolerance && fabs(reverse - numeric) <= tolerance)) {
        printf("%s at %g: %.12g and %.12g; %.12g and %.12g, not %.12g\n", name, x, first(x), forward, second, reverse, numeric);
        bad = 1;
    }
}

#define ROW(NAME, TEXT) \
    static double NAME(double x) { return TEXT; } \
    static double NAME##_first(double x) { return __enzyme_autodiff((void *)NAME, x); } \
    static void NAME##_test(double x) \
    { \
        check(#NAME, x, NAME##_first, __enzyme_fwddiff((void *)NAME, x, 1.0), __enzyme_fwddiff((void *)NAME##_first, x, 1.0), \
              __enzyme_autodiff((void *)NAME##_first, x)); \
    }
ROW(exponentials, exp(x) + exp2(x) * x + exp10(0.3 * x) + expm1(x) * expm1(x))
ROW(logarithms, log(x) * x + log2(x) + log10(x) * log1p(x) + logb(x))
ROW(powers, pow(x, x) + pow(2.0, x) + pow(x, 2.5) + sqrt(x) + cbrt(x) * hypot(x, 1.5) + __builtin_powi(x, 4))
ROW(circles, sin(x) * cos(x) + tan(x) + asin(0.5 * x) + acos(0.4 * x) + atan(x) + atan2(x, 2.0 - x))
ROW(hyperbolas, sinh(x) + cosh(x) * x + tanh(x) + asinh(x) + acosh(1.5 + x) + atanh(0.5 * x))
ROW(errors, erf(x) + x * erfc(x))
ROW(gammas, tgamma(x) + lgamma(x) * x + lgamma(x - 2.3) + tgamma(x - 1.6))
ROW(bessel, j0(x) + j1(x) * y0(x) + y1(x) + jn(3, x) + 0.1 * yn(2, x))
ROW(pieces, fabs(x) * x + fmin(x, 2 * x) * fmax(x, x * x) + fdim(3.0, x * x) + copysign(x * x, -1.0) + fma(x, x, x))
ROW(remainders, fmod(3 * x, 1.7) * x + remainder(3 * x * x, 1.9 + 0.1 * x) + floor(x) * x * x + ldexp(x * x, 2) + scalbn(x, 1) * x)
static double with_outputs(double x)
{
    int e, q;
    double whole, s, c, part = modf(2.6 * x, &whole), m = frexp(3 * x, &e);
    sincos(x, &s, &c);
    return part * part * whole + m * m * e + s * c * x + remquo(5 * x, 1.1 + x, &q) * q * x;
}
ROW(outputs, with_outputs(x))
static double of_complex(double x)
{
    double complex z = x + 0.4 * I, w = cexp(z) * csin(z) + clog(z) / (z + 1.0) + csqrt(z) * ctanh(z) + cpow(z, 1.5 + 0.5 * z) + casin(z) * catan(z);
    return creal(w) * cimag(w) + cabs(w) + carg(w);
}
ROW(complex_functions, of_complex(x))

int main(void)
{
    for (double x = 0.62; x < 0.8; x += 0.05) {
        exponentials_test(x);
        logarithms_test(x);
        powers_test(x);
        circles_test(x);
        hyperbolas_test(x);
        errors_test(x);
        gammas_test(x);
        bessel_test(x);
        pieces_test(x);
        complex_functions_test(x);
    }
    remainders_test(0.65);
    outputs_test(0.65);
    return bad;
}
