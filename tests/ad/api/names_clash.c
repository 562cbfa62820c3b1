// Names of the user that generated code would like to use.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
extern int enzyme_dup, enzyme_const;
static double x_bar = 1, tape = 2, result = 3, gradient = 4, t = 5;
struct f_tape { int x; };
typedef double f_augmented;
static double f_reverse(double s_bar) { return s_bar; }
static double f(double x, int n) {
    double s_bar = 1;
    for (int i = 0; i < n; i++) s_bar *= x + x_bar;
    return s_bar * t + 0 * tape;
}
static double g(double *restrict x, int n) {
    double *x_cache = malloc(n * sizeof *x), sum = 0;
    for (int i = 0; i < n; i++) x_cache[i] = exp(x[i]);
    for (int i = 0; i < n; i++) x[i] = x_cache[i] * x_cache[i];
    for (int i = 0; i < n; i++) sum += x[i];
    free(x_cache);
    return sum;
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("f", __enzyme_autodiff((void *)f, 0.5, 3), 5 * 3 * 1.5 * 1.5);
    double a[2] = {0.1, 0.2}, d[2] = {0};
    __enzyme_autodiff_void((void *)g, a, d, 2);
    check("g", d[0], 2 * exp(0.2)), check("g", d[1], 2 * exp(0.4));
    check("own", f_reverse(x_bar + tape + result + gradient + t), 15);
    return failures + (int)sizeof(struct f_tape) - 4 + (int)sizeof(f_augmented) - 8;
}
