// A dense Hessian by forward over reverse, all columns at once, and by reverse over reverse.
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_double(void *, ...);
void __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_width;

static double rosenbrock(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n - 1; i++) {
        double t = x[i + 1] - x[i] * x[i];
        s += 100 * t * t + (1 - x[i]) * (1 - x[i]);
    }
    return s;
}
static void gradient(const double *x, double *g, int n) { __enzyme_autodiff((void *)rosenbrock, enzyme_dup, x, g, enzyme_const, n); }
static double directional(const double *x, const double *v, int n) {
    double g[3] = {0}, s = 0;
    gradient(x, g, n);
    for (int i = 0; i < n; i++) s += g[i] * v[i];
    return s;
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    enum { N = 3 };
    double x[N] = {1.2, -0.7, 0.4}, want[N][N] = {{0}};
    for (int i = 0; i < N - 1; i++) {
        want[i][i] += 1200 * x[i] * x[i] - 400 * x[i + 1] + 2;
        want[i][i + 1] += -400 * x[i];
        want[i + 1][i] += -400 * x[i];
        want[i + 1][i + 1] += 200;
    }
    double e[N][N] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, h[N][N] = {{0}}, g[N] = {0};
    __enzyme_fwddiff((void *)gradient, enzyme_width, 3, enzyme_dup, x, e[0], e[1], e[2], enzyme_dup, g, h[0], h[1], h[2], enzyme_const, N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) check("forward over reverse", h[i][j], want[i][j]);
    for (int i = 0; i < N; i++) {
        double row[N] = {0};
        __enzyme_autodiff((void *)directional, enzyme_dup, x, row, enzyme_const, e[i], N);
        for (int j = 0; j < N; j++) check("reverse over reverse", row[j], want[i][j]);
    }
    return failures;
}
