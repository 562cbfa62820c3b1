// The math library, float and complex numbers, numbers by value, globals.
#include "check.h"
#include <complex.h>

static double library(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double a = x[i], b = 0.3 * a + 0.2;
        s += exp(a) + exp2(a) + expm1(a) + log(a) + log2(a) + log10(a) + log1p(a) + pow(a, b) + sqrt(a) + cbrt(a) + hypot(a, b);
        s += sin(a) * cos(b) + tan(b) + asin(b) + acos(b) + atan(a) + atan2(a, b) + sinh(a) + cosh(a) + tanh(a) + asinh(a) + acosh(a + 1) + atanh(b);
        s += erf(a) + erfc(b) + fabs(-a) + fmin(a, b) + fmax(a, b) + fdim(a, b) + fma(a, b, a) + fmod(5 * a, 1.9) + copysign(a, -b);
        s += a * floor(3 * b) + ceil(b) * b + ldexp(a, 3) + j0(a) + j1(b) + y0(a) + y1(a) + (a > b ? a / b : b / a);
    }
    return s;
}
GRADIENT(library)

static double single(double *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += sqrtf((float)x[i]) * (float)x[i];
    return s;
}

static double complex_numbers(double *x, int n)
{
    double _Complex z = 0.3 + 0.2 * I, w = 1;
    for (int i = 0; i < n; i++) {
        z = z * z * 0.2 + x[i] - 0.1 * I;
        w = w / (z + 2.0) + conj(z) * x[i];
    }
    return creal(w) * cimag(w) + creal(z * conj(z));
}
GRADIENT(complex_numbers)

static double counter, table[4];
static void accumulate(double v, int k)
{
    table[k % 4] += v * v;
    counter = counter * 0.5 + v;
}
static double globals(double *x, int n)
{
    counter = 0;
    for (int k = 0; k < 4; k++)
        table[k] = 1;
    for (int i = 0; i < n; i++)
        accumulate(x[i], i);
    return counter * table[0] * table[1] + table[2] * table[3];
}
GRADIENT(globals)

static double two(double a, double b)
{
    return a * a * b + sin(b);
}
struct pair {
    double a, b;
};
struct pair __enzyme_autodiff_pair(void *, ...);

int main(void)
{
    int bad = CHECK(library, 5) | CHECK(complex_numbers, 7) | CHECK(globals, 9);
    double g[4] = {0}, x[4] = {0.5, 1.5, 2.5, 0.25};
    __enzyme_autodiff((void *)single, x, g, 4);
    for (int i = 0; i < 4; i++)
        bad |= fabs(g[i] - 1.5 * sqrt(x[i])) > 1e-6;
    struct pair d = __enzyme_autodiff_pair((void *)two, 1.2, 0.7);
    bad |= fabs(d.a - 2 * 1.2 * 0.7) > 1e-12 || fabs(d.b - (1.44 + cos(0.7))) > 1e-12;
    return bad;
}
