// Several outputs: by pointer and by result, with seeds for both; outputs that are inputs.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_const_return;
static double both(double x, double *square) { *square = x * x; return x * x * x; }
static void update(double *x, double *y) { double t = *x; *x = *x * *y; *y = t + *y; }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double s, ds = 1;
    check("both", __enzyme_autodiff((void *)both, 2.0, &s, &ds), 12 + 4);
    check("square", s, 4), check("consumed", ds, 0);
    ds = 1;
    check("one", __enzyme_autodiff((void *)both, enzyme_const_return, 2.0, &s, &ds), 4);
    check("other", __enzyme_autodiff((void *)both, 2.0, enzyme_const, &s), 12);
    double x = 3, y = 5, dx = 1, dy = 10;
    __enzyme_autodiff_void((void *)update, &x, &dx, &y, &dy);
    check("dx", dx, 5 * 1 + 10), check("dy", dy, 3 * 1 + 10);
    check("x", x, 15), check("y", y, 8);
    return failures;
}
