// Entry points by any name that contains theirs, declared with a prototype, variadic, or without parameters; functions by name, address or cast.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_plain(double (*)(double), double);
double my__enzyme_autodiff_unprototyped();
float __enzyme_autodiff_float(void *, ...);
double f__enzyme_fwddiff_x(void *, ...);

static double cube(double x) { return x * x * x; }
static float squaref(float x) { return x * x; }

static int failures;
static void check(const char *what, double got, double want) {
    if (fabs(got - want) > 1e-9 * (1 + fabs(want))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x = 1.5;
    check("name", __enzyme_autodiff(cube, x), 3 * x * x);
    check("address", __enzyme_autodiff(&cube, x), 3 * x * x);
    check("cast", __enzyme_autodiff((void *)cube, x), 3 * x * x);
    check("cast address", __enzyme_autodiff((void *)&cube, x), 3 * x * x);
    check("parentheses", (__enzyme_autodiff)((void *)(cube), (x)), 3 * x * x);
    check("prototype", __enzyme_autodiff_plain(cube, x), 3 * x * x);
    check("prototype, int", __enzyme_autodiff_plain(cube, 2), 12);
    check("unprototyped", my__enzyme_autodiff_unprototyped((void *)cube, x), 3 * x * x);
    check("forward", f__enzyme_fwddiff_x((void *)cube, x, 2.0), 6 * x * x);
    check("float", __enzyme_autodiff_float((void *)squaref, 3.0f), 6);
    check("float as double", __enzyme_autodiff((void *)squaref, 3.0), 6);
    check("int for double", __enzyme_autodiff((void *)cube, 2), 12);
    return failures;
}
