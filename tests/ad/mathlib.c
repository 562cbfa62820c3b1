// The math library: every function of the rule table in three precisions against central differences; singular points; functions that write through
// pointers; sorting and searching.
#define _GNU_SOURCE
#include "check.h"
#include <float.h>

float __enzyme_autodiff_float(void *, ...);
long double __enzyme_autodiff_long(void *, ...);

static int bad;

static void compare(const char *name, const char *width, double x, double exact, double numeric, double tolerance)
{
    if (!(fabs(exact - numeric) <= tolerance * (1 + fabs(numeric)))) {
        printf("%s%s at %g: %.15g, not %.15g\n", name, width, x, exact, numeric);
        bad = 1;
    }
}

/* One function of x in three precisions, at five points from LOW to HIGH. */
#define ROW(NAME, TEXT, TEXTF, TEXTL) \
    static double NAME##_d(double x) { return TEXT; } \
    static float NAME##_f(float x) { return TEXTF; } \
    static long double NAME##_l(long double x) { return TEXTL; } \
    static void NAME##_test(double low, double high) \
    { \
        for (int k = 0; k < 5; k++) { \
            double x = low + (high - low) * (k + 0.5) / 5; \
            long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); \
            long double numeric = (8 * (NAME##_l(at + h) - NAME##_l(at - h)) - (NAME##_l(at + 2 * h) - NAME##_l(at - 2 * h))) / (12 * h); \
            compare(#NAME, "", x, __enzyme_autodiff((void *)NAME##_d, x), (double)numeric, 1e-10); \
            compare(#NAME, "f", x, (double)__enzyme_autodiff_float((void *)NAME##_f, (float)x), (double)numeric, 1e-4); \
            compare(#NAME, "l", x, (double)__enzyme_autodiff_long((void *)NAME##_l, (long double)x), (double)numeric, 1e-10); \
        } \
    }
#define ONE(F) ROW(F, F(x), F##f(x), F##l(x))
#define LEFT(F) ROW(F##_left, F(x, 0.7 + x * x), F##f(x, 0.7f + x * x), F##l(x, 0.7L + x * x))
#define RIGHT(F) ROW(F##_right, F(2.3 - x, x), F##f(2.3f - x, x), F##l(2.3L - x, x))

ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sqrt) ONE(cbrt)
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh)
ONE(erf) ONE(erfc) ONE(tgamma) ONE(lgamma) ONE(fabs) ONE(floor) ONE(ceil) ONE(round) ONE(trunc) ONE(rint) ONE(nearbyint) ONE(logb)
LEFT(pow) RIGHT(pow) LEFT(hypot) RIGHT(hypot) LEFT(atan2) RIGHT(atan2) LEFT(fmin) RIGHT(fmin) LEFT(fmax) RIGHT(fmax) LEFT(fdim) RIGHT(fdim)
LEFT(copysign) LEFT(fmod) RIGHT(fmod) LEFT(remainder) LEFT(nextafter)
ROW(fma, fma(x, x + 1, sin(x)), fmaf(x, x + 1, sinf(x)), fmal(x, x + 1, sinl(x)))
ROW(ldexp, ldexp(x, 3), ldexpf(x, 3), ldexpl(x, 3))
ROW(scalbn, scalbn(x * x, -2), scalbnf(x * x, -2), scalbnl(x * x, -2))
ROW(scalbln, scalbln(x * x, 2L), scalblnf(x * x, 2L), scalblnl(x * x, 2L))
ROW(builtin, __builtin_sin(x) * __builtin_powi(x, 3), __builtin_sinf(x) * __builtin_powif(x, 3), __builtin_sinl(x) * __builtin_powil(x, 3))
ROW(power_of_negative, pow(x - 9, 3), powf(x - 9, 3), powl(x - 9, 3))

/* Functions that write through pointers. */
static double modf_part(double x) { double whole, part = modf(3 * x, &whole); return part * (1 + whole * x); }
static float modf_partf(float x) { float whole, part = modff(3 * x, &whole); return part * (1 + whole * x); }
static long double modf_partl(long double x) { long double whole, part = modfl(3 * x, &whole); return part * (1 + whole * x); }
ONE(modf_part)
static double frexp_part(double x) { int e; double m = frexp(5 * x, &e); return m * m * e; }
static float frexp_partf(float x) { int e; float m = frexpf(5 * x, &e); return m * m * (float)e; }
static long double frexp_partl(long double x) { int e; long double m = frexpl(5 * x, &e); return m * m * e; }
ONE(frexp_part)
static double remquo_part(double x) { int q; double r = remquo(7 * x, 1.1 + x, &q); return r * r + q * x; }
static float remquo_partf(float x) { int q; float r = remquof(7 * x, 1.1f + x, &q); return r * r + (float)q * x; }
static long double remquo_partl(long double x) { int q; long double r = remquol(7 * x, 1.1L + x, &q); return r * r + q * x; }
ONE(remquo_part)
static double sincos_part(double x) { double s, c[2] = {x, x}; sincos(x * x, &s, &c[1]); return s * c[1] * c[0]; }
static float sincos_partf(float x) { float s, c[2] = {x, x}; sincosf(x * x, &s, &c[1]); return s * c[1] * c[0]; }
static long double sincos_partl(long double x) { long double s, c[2] = {x, x}; sincosl(x * x, &s, &c[1]); return s * c[1] * c[0]; }
ONE(sincos_part)
static double lgamma_r_part(double x) { int s; double g = lgamma_r(x - 2.5, &s); return g * g * s; }

/* Bessel functions (no long double everywhere). */
#define SINGLE(NAME, TEXT) \
    static double NAME(double x) { return TEXT; } \
    static void NAME##_test(double low, double high) \
    { \
        for (int k = 0; k < 5; k++) { \
            double x = low + (high - low) * (k + 0.5) / 5, h = 1e-4; \
            double numeric = (8 * (NAME(x + h) - NAME(x - h)) - (NAME(x + 2 * h) - NAME(x - 2 * h))) / (12 * h); \
            compare(#NAME, "", x, __enzyme_autodiff((void *)NAME, x), numeric, 1e-9); \
        } \
    }
SINGLE(bessel, j0(x) + 2 * j1(x) + 3 * jn(3, x) + y0(x) - 2 * y1(x) + 0.1 * yn(2, x))
SINGLE(gamma_below_zero, sin(x) * tgamma(x) + lgamma(x - 3))
SINGLE(log_gamma_with_sign, lgamma_r_part(x))
SINGLE(float_in_double, (double)sqrtf((float)1) * x + nexttoward(x, 9.0L) + significand(x) + drem(x, 0.4) + exp10(x) + scalb(x, 2.0))

/* Singular points: what the table says, and never NaN. */
static double zero_times_sqrt(double x) { return 0.0 * sqrt(x) + fmax(log(x), -50.0) + x; }
static double norm(double x, double y) { return hypot(x, y) + atan2(y, x) + cbrt(x); }
static double absolute(double x, double y) { return fabs(x) + fabs(-y * y); }
static double power(double x, double y) { return pow(x, y); }
static double arcs(double x) { return asin(x) + acos(x) * 2 + 0.0 * atanh(x * 0.5) + acosh(x); }
static double smaller(double x, double y) { return fmin(x, y) + 10 * fmax(x, y); }
struct two { double x, y; };
struct two __enzyme_autodiff_two(void *, ...);
static void point(const char *name, struct two got, double x, double y)
{
    if (!(got.x == x && got.y == y)) {
        printf("%s: (%g, %g), not (%g, %g)\n", name, got.x, got.y, x, y);
        bad = 1;
    }
}

/* Sorting moves derivatives along. */
struct item {
    int key;
    double value;
};
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static int by_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
static double sorted(double *x, int n)
{
    double *y = malloc((size_t)n * sizeof *y), s = 0;
    struct item items[64], wanted = {5, 0};
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        items[i].key = (i * 7) % n;
        items[i].value = sin(x[i]);
    }
    qsort(y, (size_t)n, sizeof *y, by_value);
    qsort(items, (size_t)n, sizeof items[0], by_key);
    for (int i = 0; i < n; i++)
        s += (i + 1) * y[i] * items[i].value;
    struct item *found = bsearch(&wanted, items, (size_t)n, sizeof items[0], by_key);
    if (found)
        s += found->value * found->value;
    wanted.key = 1000;
    if (bsearch(&wanted, items, (size_t)n, sizeof items[0], by_key))
        s = 0;
    free(y);
    return s;
}
GRADIENT(sorted)

#define RUN(NAME, low, high) NAME##_test(low, high)
int main(void)
{
    RUN(exp, -3, 3); RUN(exp2, -3, 3); RUN(expm1, -2, 2); RUN(log, 0.1, 5); RUN(log2, 0.1, 5); RUN(log10, 0.1, 5); RUN(log1p, -0.5, 3);
    RUN(sqrt, 0.1, 5); RUN(cbrt, 0.1, 5); RUN(cbrt, -5, -0.1); RUN(sin, -3, 3); RUN(cos, -3, 3); RUN(tan, -1, 1); RUN(asin, -0.8, 0.8);
    RUN(acos, -0.8, 0.8); RUN(atan, -3, 3); RUN(sinh, -2, 2); RUN(cosh, -2, 2); RUN(tanh, -2, 2); RUN(asinh, -3, 3); RUN(acosh, 1.2, 4);
    RUN(atanh, -0.8, 0.8); RUN(erf, -2, 2); RUN(erfc, -2, 2); RUN(tgamma, 0.3, 4); RUN(lgamma, 0.3, 20); RUN(fabs, -3, -0.2); RUN(fabs, 0.2, 3);
    RUN(floor, 0.2, 0.8); RUN(ceil, 0.2, 0.8); RUN(round, 0.6, 0.9); RUN(trunc, 0.2, 0.8); RUN(rint, 0.6, 0.9); RUN(nearbyint, 0.6, 0.9);
    RUN(logb, 1.1, 1.9);
    RUN(pow_left, 0.3, 2); RUN(pow_right, 0.1, 2); RUN(hypot_left, -2, 2); RUN(hypot_right, -2, 2); RUN(atan2_left, -2, 2); RUN(atan2_right, -2, 2);
    RUN(fmin_left, 0.1, 2); RUN(fmin_right, 0.1, 1); RUN(fmax_left, 0.1, 2); RUN(fmax_right, 0.1, 1); RUN(fdim_left, 0.1, 2); RUN(fdim_right, 0.1, 1);
    RUN(copysign_left, 0.1, 2); RUN(fmod_left, 0.1, 2); RUN(fmod_right, 0.56, 0.57); RUN(remainder_left, 0.1, 0.3); RUN(nextafter_left, 0.1, 2);
    RUN(fma, -2, 2); RUN(ldexp, 1, 2); RUN(scalbn, 1, 2); RUN(scalbln, 1, 2); RUN(builtin, -2, 2); RUN(power_of_negative, -1, 1);
    RUN(modf_part, 0.4, 0.6); RUN(modf_part, -0.6, -0.4); RUN(frexp_part, 0.5, 0.7); RUN(remquo_part, 0.5, 0.51); RUN(sincos_part, -1, 1);
    RUN(bessel, 1, 8); RUN(gamma_below_zero, -1.9, -1.1); RUN(gamma_below_zero, 0.1, 0.9); RUN(log_gamma_with_sign, 0.1, 0.4); RUN(float_in_double, 1.1, 1.15);
#ifndef __FAST_MATH__
    if (__enzyme_autodiff((void *)zero_times_sqrt, 0.0) != 1 || __enzyme_autodiff((void *)arcs, 1.0) != 0)
        bad = 1, puts("singular points of one variable");
#endif
    point("hypot, atan2, cbrt at 0", __enzyme_autodiff_two((void *)norm, 0.0, 0.0), 0, 0);
    point("fabs at 0", __enzyme_autodiff_two((void *)absolute, 0.0, 0.0), 1, 0);
    point("fabs at -0", __enzyme_autodiff_two((void *)absolute, -0.0, 0.0), -1, 0);
    point("pow(0, 2)", __enzyme_autodiff_two((void *)power, 0.0, 2.0), 0, 0);
    point("pow(0, 1)", __enzyme_autodiff_two((void *)power, 0.0, 1.0), 1, 0);
    point("pow(0, 0.5)", __enzyme_autodiff_two((void *)power, 0.0, 0.5), 0, 0);
    point("pow(0, 0)", __enzyme_autodiff_two((void *)power, 0.0, 0.0), 0, 0);
    point("pow(-2, 3)", __enzyme_autodiff_two((void *)power, -2.0, 3.0), 12, 0);
    point("pow(-2, 0)", __enzyme_autodiff_two((void *)power, -2.0, 0.0), 0, 0);
    point("fmin, fmax at a tie", __enzyme_autodiff_two((void *)smaller, 1.0, 1.0), 11, 0);
    point("fmin, fmax", __enzyme_autodiff_two((void *)smaller, 1.0, 2.0), 1, 10);
#ifndef __FAST_MATH__
    point("fmin, fmax with NaN", __enzyme_autodiff_two((void *)smaller, 1.0, (double)NAN), 11, 0);
#endif
    return bad | CHECK(sorted, 11);
}
