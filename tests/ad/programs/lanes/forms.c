// Several directions at once where vectors meet everything else: numbers by value and returned, floats, copies, pointers that choose, calls, complex numbers.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_width;
int enzyme_dup, enzyme_const, enzyme_width;

struct two { double a, b; };
struct three { double a, b, c; };
struct twof { float a, b; };
struct two __enzyme_fwddiff_two(void *, ...);
struct three __enzyme_fwddiff_three(void *, ...);
struct twof __enzyme_fwddiff_twof(void *, ...);
double __enzyme_fwddiff_one(void *, ...);
float __enzyme_fwddiff_onef(void *, ...);

static int failures;

static void check(const char *what, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * (1.0 + fabs(wanted)))) {
        printf("%s: %.17g, not %.17g\n", what, got, wanted);
        failures++;
    }
}

static double nested(double x, int depth)
{
    double t[3] = {x, x * x, 1.0 / (1.0 + x * x)};
    if (depth == 0)
        return t[0] * t[1] + t[2];
    return nested(t[depth % 3], depth - 1) * t[(depth + 1) % 3] + t[2];
}

static float single(float x, float y)
{
    float t[4] = {x, y, x * y, x - y};
    for (int s = 0; s < 5; s++)
        for (int i = 0; i < 4; i++)
            t[i] = t[i] * 0.5f + t[(i + 1) % 4] * t[(i + 2) % 4] * 0.25f;
    return t[0] + t[1] * t[2] - t[3];
}

/* A pointer that is one of two arrays: they stay as they are. A copy of a whole array, and one cleared. */
static double choosing(double x, double y, int which)
{
    double a[4] = {x, y, x * y, x / y}, b[4], c[4];
    memset(b, 0, sizeof b);
    memcpy(c, a, sizeof c);
    double *p = which ? a : b;
    for (int i = 0; i < 4; i++)
        p[i] += c[3 - i] * c[i];
    struct { double v[4]; } s, t;
    for (int i = 0; i < 4; i++)
        s.v[i] = a[i] + b[i] * c[i];
    t = s;
    double product = 1.0;
    for (int i = 0; i < 4; i++)
        product *= 1.0 + t.v[i] * t.v[i];
    return log(product);
}

static double rotating(double x, double y)
{
    double complex z = x + y * I, w = 1.0;
    for (int i = 0; i < 3; i++)
        w = w * z + cexp(z * 0.1);
    return creal(w) * cimag(w) + cabs(z);
}

/* The derivative in two directions, as a function that is differentiated itself. */
static double smooth(double x, double y) { return sin(x * y) * exp(x) + y * y * y; }
static double slope(double x, double y)
{
    struct two d = __enzyme_fwddiff_two((void *)smooth, enzyme_width, 2, enzyme_dup, x, 1.0, 0.0, enzyme_dup, y, 0.0, 1.0);
    return d.a * d.b;
}

int main(void)
{
    struct two d;
    for (int depth = 0; depth < 6; depth++) {
        d = __enzyme_fwddiff_two((void *)nested, enzyme_width, 2, enzyme_dup, 0.7, 1.0, -2.5, enzyme_const, depth);
        double one = __enzyme_fwddiff_one((void *)nested, enzyme_dup, 0.7, 1.0, enzyme_const, depth);
        check("nested", d.a, one, 1e-14);
        check("nested, second", d.b, -2.5 * one, 1e-14);
    }
    struct twof f = __enzyme_fwddiff_twof((void *)single, enzyme_width, 2, enzyme_dup, 0.4f, 1.0f, 0.0f, enzyme_dup, 0.9f, 0.0f, 1.0f);
    check("single, x", f.a, __enzyme_fwddiff_onef((void *)single, enzyme_dup, 0.4f, 1.0f, enzyme_const, 0.9f), 1e-5);
    check("single, y", f.b, __enzyme_fwddiff_onef((void *)single, enzyme_const, 0.4f, enzyme_dup, 0.9f, 1.0f), 1e-5);
    for (int which = 0; which < 2; which++) {
        struct three t = __enzyme_fwddiff_three((void *)choosing, enzyme_width, 3, enzyme_dup, 0.6, 1.0, 0.0, 0.3, enzyme_dup, 1.4, 0.0, 1.0, -0.2, enzyme_const, which);
        double x = __enzyme_fwddiff_one((void *)choosing, enzyme_dup, 0.6, 1.0, enzyme_const, 1.4, enzyme_const, which);
        double y = __enzyme_fwddiff_one((void *)choosing, enzyme_const, 0.6, enzyme_dup, 1.4, 1.0, enzyme_const, which);
        double h = 1e-6, numeric = (choosing(0.6 + h, 1.4, which) - choosing(0.6 - h, 1.4, which)) / (2 * h);
        check("choosing against differences", x, numeric, 1e-7);
        check("choosing, x", t.a, x, 1e-13);
        check("choosing, y", t.b, y, 1e-13);
        check("choosing, both", t.c, 0.3 * x - 0.2 * y, 1e-13);
    }
    d = __enzyme_fwddiff_two((void *)rotating, enzyme_width, 2, enzyme_dup, 0.6, 1.0, 0.0, enzyme_dup, 1.4, 0.0, 1.0);
    check("rotating, x", d.a, __enzyme_fwddiff_one((void *)rotating, enzyme_dup, 0.6, 1.0, enzyme_const, 1.4), 1e-13);
    check("rotating, y", d.b, __enzyme_fwddiff_one((void *)rotating, enzyme_const, 0.6, enzyme_dup, 1.4, 1.0), 1e-13);
    double h = 1e-6, second = __enzyme_fwddiff_one((void *)slope, enzyme_dup, 0.5, 1.0, enzyme_const, 0.8);
    check("slope", second, (slope(0.5 + h, 0.8) - slope(0.5 - h, 0.8)) / (2 * h), 1e-7);
    return failures != 0;
}
