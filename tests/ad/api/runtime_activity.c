// Shadows that are their primals: inactive at run time, as arguments and inside of structs.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_runtime_activity;
void __enzyme_autodiff(void *, ...);
struct model { double *weights, *bias; };

static double f(double *x, const double *y) { return x[0] * y[0] * y[0]; }
static double g(const struct model *m, const double *x, int n) {
    double s = m->bias[0];
    for (int i = 0; i < n; i++) s += m->weights[i] * x[i] * x[i];
    return s * s;
}

static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x[1] = {2}, dx[1] = {0}, y[1] = {3}, dy[1] = {0};
    __enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, y, y);
    check("active", dx[0], 9), check("untouched", y[0], 3);
    dx[0] = 0;
    __enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, y, dy);
    check("both", dx[0], 9), check("both", dy[0], 12);
    double w[2] = {1, 2}, dw[2] = {0}, b[1] = {0.5}, in[2] = {1, 3};
    struct model m = {w, b}, dm = {dw, b};
    __enzyme_autodiff((void *)g, enzyme_runtime_activity, enzyme_dup, &m, &dm, enzyme_dup, in, in, enzyme_const, 2);
    check("weights", dw[0], 2 * 19.5), check("weights", dw[1], 2 * 19.5 * 9);
    check("bias", b[0], 0.5), check("inputs", in[1], 3);
    return failures;
}
