// Definitions in the old style, functions through typedefs, parameters as arrays, qualifiers everywhere.
#include <math.h>
#include <stdio.h>

typedef double number;
typedef number function(number);
typedef function *pointer;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
extern int enzyme_const;

static double kr(x, y)
    double x, y;
{
    return x * y * y;
}
static function square;
static number square(const number x) { return x * x; }
static double sum(const double x[restrict static 2], const int n) {
    double s = 0;
    for (register int i = 0; i < n; ++i) s += x[i] * x[i];
    return s;
}
static double trace(double (*const m)[2]) { return m[0][0] * m[1][1]; }
static double chars(const char *name, double x) { return name[0] == 'a' ? x : 2 * x; }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    pointer p = square;
    check("old style", __enzyme_autodiff((void *)kr, enzyme_const, 2.0, 3.0), 12);
    check("typedef", __enzyme_autodiff((void *)p, 3.0), 6);
    double x[2] = {1, 2}, g[2] = {0};
    __enzyme_autodiff_void((void *)sum, x, g, 2);
    check("array", g[1], 4);
    double m[2][2] = {{1, 2}, {3, 4}}, dm[2][2] = {{0}};
    __enzyme_autodiff_void((void *)trace, m, dm);
    check("rows", dm[0][0], 4), check("rows", dm[1][1], 1), check("rows", dm[0][1], 0);
    check("text", __enzyme_autodiff((void *)chars, enzyme_const, "b", 5.0), 2);
    return failures;
}
