// Complex numbers: every complex function of the rule table in three precisions, by the parts; mixed arithmetic, parts, polar form, singular points.
#define _GNU_SOURCE
#include "check.h"
#include <complex.h>
/* Some headers have these for one compiler only. */
#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))
#endif

float __enzyme_autodiff_float(void *, ...);
struct two {
    double x, y;
};
struct two __enzyme_autodiff_two(void *, ...);
struct two_long {
    long double x, y;
};
struct two_long __enzyme_autodiff_two_long(void *, ...);
struct two_float {
    float x, y;
};
struct two_float __enzyme_autodiff_two_float(void *, ...);

static int bad;
static void compare(const char *name, const char *width, double exact, double numeric, double tolerance)
{
    if (!(fabs(exact - numeric) <= tolerance * (1 + fabs(numeric)))) {
        printf("%s%s: %.15g, not %.15g\n", name, width, exact, numeric);
        bad = 1;
    }
}

/* A weighted sum of the real and the imaginary part of F(x + i y): its two derivatives. */
#define ROW(NAME, TEXT, TEXTF, TEXTL) \
    static double NAME##_d(double x, double y) { double complex z = CMPLX(x, y), w = TEXT; return 0.7 * creal(w) - 1.3 * cimag(w); } \
    static float NAME##_f(float x, float y) { float complex z = CMPLXF(x, y), w = TEXTF; return 0.7f * crealf(w) - 1.3f * cimagf(w); } \
    static long double NAME##_l(long double x, long double y) \
    { long double complex z = CMPLXL(x, y), w = TEXTL; return 0.7L * creall(w) - 1.3L * cimagl(w); } \
    static void NAME##_test(void) \
    { \
        static const double at[4][2] = {{0.4, 0.3}, {-0.5, 0.8}, {1.7, -0.6}, {-1.4, -0.9}}; \
        for (int k = 0; k < 4; k++) { \
            long double x = at[k][0], y = at[k][1], h = 1e-4L; \
            long double dx = (8 * (NAME##_l(x + h, y) - NAME##_l(x - h, y)) - (NAME##_l(x + 2 * h, y) - NAME##_l(x - 2 * h, y))) / (12 * h); \
            long double dy = (8 * (NAME##_l(x, y + h) - NAME##_l(x, y - h)) - (NAME##_l(x, y + 2 * h) - NAME##_l(x, y - 2 * h))) / (12 * h); \
            struct two d = __enzyme_autodiff_two((void *)NAME##_d, at[k][0], at[k][1]); \
            struct two_float f = __enzyme_autodiff_two_float((void *)NAME##_f, at[k][0], at[k][1]); \
            struct two_long l = __enzyme_autodiff_two_long((void *)NAME##_l, x, y); \
            compare(#NAME " in x", "", d.x, (double)dx, 1e-9); \
            compare(#NAME " in y", "", d.y, (double)dy, 1e-9); \
            compare(#NAME " in x", "f", f.x, (double)dx, 2e-4); \
            compare(#NAME " in y", "f", f.y, (double)dy, 2e-4); \
            compare(#NAME " in x", "l", (double)l.x, (double)dx, 1e-9); \
            compare(#NAME " in y", "l", (double)l.y, (double)dy, 1e-9); \
        } \
    }
#define ONE(F) ROW(F, F(z), F##f(z), F##l(z))
ONE(cexp) ONE(clog) ONE(csqrt) ONE(csin) ONE(ccos) ONE(ctan) ONE(csinh) ONE(ccosh) ONE(ctanh)
ONE(casin) ONE(cacos) ONE(catan) ONE(casinh) ONE(cacosh) ONE(catanh) ONE(cproj) ONE(conj)
ROW(cpow, cpow(z, 1.5 + z), cpowf(z, 1.5f + z), cpowl(z, 1.5L + z))
ROW(polar, cabs(z) * cexp(I * carg(z)) + carg(z * z), cabsf(z) * cexpf(I * cargf(z)) + cargf(z * z), cabsl(z) * cexpl(I * cargl(z)) + cargl(z * z))
ROW(mixed, (2 * z - x) / (z * y + 1.5) + x / z - z / 3 + (y - z) * -z, (2 * z - x) / (z * y + 1.5f) + x / z - z / 3 + (y - z) * -z,
    (2 * z - x) / (z * y + 1.5L) + x / z - z / 3 + (y - z) * -z)
ROW(parts, __real__ z * z + __imag__(z * z) * I + ~z, __real__ z * z + __imag__(z * z) * I + ~z, __real__ z * z + __imag__(z * z) * I + ~z)

static double at_zero(double x, double y)
{
    double complex z = x + y * I;
    return cabs(z) + carg(z) + creal(csqrt(z)) + 0.0 * x;
}

/* On a branch cut: the side follows the sign of the zero. */
static double upper(double x) { return cimag(casin(CMPLX(x, 0.0))); }
static double lower(double x) { return cimag(casin(CMPLX(x, -0.0))); }

static double roots(double *x, int n)
{
    double complex p[65] = {1.0}, s = 0;
    for (int i = 0; i < n; i++) {
        p[i + 1] = 0;
        for (int k = i + 1; k > 0; k--)
            p[k] -= p[k - 1] * cexp(I * x[i]);
    }
    for (int i = 0; i <= n; i++)
        s += p[i] * conj(p[(i * 3) % (n + 1)]) / (i + 1.0 + I);
    double complex *heap = malloc((size_t)n * sizeof *heap);
    for (int i = 0; i < n; i++)
        heap[i] = clog(x[i] + 2 * I);
    for (int i = 1; i < n; i++)
        heap[0] *= heap[i];
    s += heap[0];
    free(heap);
    return creal(s) + 2 * cimag(s);
}
GRADIENT(roots)

int main(void)
{
    cexp_test(); clog_test(); csqrt_test(); csin_test(); ccos_test(); ctan_test(); csinh_test(); ccosh_test(); ctanh_test(); casin_test(); cacos_test();
    catan_test(); casinh_test(); cacosh_test(); catanh_test(); cproj_test(); conj_test(); cpow_test(); polar_test(); mixed_test(); parts_test();
    struct two d = __enzyme_autodiff_two((void *)at_zero, 0.0, 0.0);
    if (!(d.x == 0 && d.y == 0)) {
        printf("at zero: %g %g\n", d.x, d.y);
        bad = 1;
    }
#ifndef __FAST_MATH__
    compare("casin above the cut", "", __enzyme_autodiff((void *)upper, 2.0), 1 / sqrt(3.0), 1e-12);
    compare("casin below the cut", "", __enzyme_autodiff((void *)lower, 2.0), -1 / sqrt(3.0), 1e-12);
#endif
    return bad | CHECK(roots, 6);
}
