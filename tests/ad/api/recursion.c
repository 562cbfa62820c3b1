// Recursive and mutually recursive functions, functions that are called from several derivatives.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
static double odd(double x, int n);
static double even(double x, int n) { return n == 0 ? x : 2 * odd(x, n - 1); }
static double odd(double x, int n) { return n == 0 ? x * x : 3 * even(x, n - 1); }
static double sum(const double *x, int n) { return n == 1 ? x[0] * x[0] : sum(x, n / 2) + sum(x + n / 2, n - n / 2); }
void __enzyme_autodiff_void(void *, ...);
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("power", __enzyme_autodiff((void *)power, 1.5, 5), 5 * pow(1.5, 4));
    check("power, forward", __enzyme_fwddiff((void *)power, 1.5, 1.0, 5), 5 * pow(1.5, 4));
    check("even", __enzyme_autodiff((void *)even, 2.0, 3), 2 * 3 * 2 * 2 * 2.0);
    check("odd", __enzyme_autodiff((void *)odd, 2.0, 2), 3 * 2 * 2 * 2.0);
    double x[5] = {1, 2, 3, 4, 5}, g[5] = {0};
    __enzyme_autodiff_void((void *)sum, x, g, 5);
    for (int i = 0; i < 5; i++) check("sum", g[i], 2 * x[i]);
    return failures;
}
