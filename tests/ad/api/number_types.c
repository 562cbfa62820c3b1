// float, long double, complex, integers, bool and enumerations as parameters.
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum mode { LINEAR, SQUARE };
float __enzyme_autodiff_float(void *, ...);
long double __enzyme_autodiff_long(void *, ...);
double complex __enzyme_autodiff_complex(void *, ...);
double __enzyme_autodiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);

static float f(float x) { return x * x * x; }
static long double l(long double x) { return x * x; }
static double c(double complex z) { return creal(z) * creal(z) + 3 * cimag(z); }
static double choose(enum mode m, bool negative, short s, unsigned char u, double x) {
    double y = m == SQUARE ? x * x : x;
    return (negative ? -y : y) * s * u;
}
static double mixed(float a, double b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a * b;
    return s;
}
struct two { float a; double b; };
struct two __enzyme_autodiff_two(void *, ...);
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("float", __enzyme_autodiff_float((void *)f, 2.0f), 12);
    check("float, forward", __enzyme_fwddiff_float((void *)f, 2.0f, 1.0f), 12);
    check("long double", (double)__enzyme_autodiff_long((void *)l, 3.0L), 6);
    double complex z = __enzyme_autodiff_complex((void *)c, 2.0 + 5.0 * I);
    check("real", creal(z), 4), check("imaginary", cimag(z), 3);
    check("enum", __enzyme_autodiff((void *)choose, SQUARE, true, 2, 3, 1.5), -18);
    check("enum", __enzyme_autodiff((void *)choose, LINEAR, false, (short)2, (unsigned char)3, 1.5), 6);
    struct two t = __enzyme_autodiff_two((void *)mixed, 2.0f, 3.0, 4);
    check("a", t.a, 12), check("b", t.b, 8);
    return failures;
}
