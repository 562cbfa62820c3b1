// Second and third derivatives: forward over reverse, reverse over forward, reverse over reverse, forward over forward, nested deeper.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_dupnoneed;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);

static double f(double x) { return exp(x) * x * x; }
static double f1r(double x) { return __enzyme_autodiff((void *)f, x); }
static double f1f(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
static double f2rr(double x) { return __enzyme_autodiff((void *)f1r, x); }
static double f2fr(double x) { return __enzyme_fwddiff((void *)f1r, x, 1.0); }
static double f2rf(double x) { return __enzyme_autodiff((void *)f1f, x); }
static double f2ff(double x) { return __enzyme_fwddiff((void *)f1f, x, 1.0); }
static double f3(double x) { return __enzyme_fwddiff((void *)f2rr, x, 1.0); }
static double f3r(double x) { return __enzyme_autodiff((void *)f2fr, x); }

static double energy(const double *x, int n) {
    double s = 0;
    for (int i = 0; i + 1 < n; i++) s += x[i] * x[i] * x[i + 1] + sin(x[i]);
    return s;
}
static void gradient(const double *x, double *g, int n) {
    for (int i = 0; i < n; i++) g[i] = 0;
    __enzyme_autodiff_void((void *)energy, enzyme_dup, x, g, enzyme_const, n);
}
static void hessian_vector(const double *x, const double *v, double *hv, int n) {
    double g[8];
    __enzyme_fwddiff_void((void *)gradient, enzyme_dup, x, v, enzyme_dupnoneed, g, hv, enzyme_const, n);
}

static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x = 0.7, e = exp(x);
    check("first, reverse", f1r(x), e * (x * x + 2 * x));
    check("first, forward", f1f(x), e * (x * x + 2 * x));
    double second = e * (x * x + 4 * x + 2);
    check("forward over reverse", f2fr(x), second);
    check("reverse over forward", f2rf(x), second);
    check("forward over forward", f2ff(x), second);
    check("reverse over reverse", f2rr(x), second);
    check("third", f3(x), e * (x * x + 6 * x + 6));
    check("third, reverse", f3r(x), e * (x * x + 6 * x + 6));
    double p[4] = {1, 2, 0.5, -1};
    for (int j = 0; j < 4; j++) {
        double v[4] = {0}, hv[4] = {0};
        v[j] = 1;
        hessian_vector(p, v, hv, 4);
        for (int i = 0; i < 4; i++) {
            double want = 0;
            if (i == j && i < 3) want = 2 * p[i + 1] - sin(p[i]);
            if (i == j + 1) want = 2 * p[j];
            if (j == i + 1) want = 2 * p[i];
            check("hessian", hv[i], want);
        }
    }
    return failures;
}
