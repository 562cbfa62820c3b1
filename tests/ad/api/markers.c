// All markers of reverse mode, and what is usual without them.
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
int enzyme_dupnoneed;
const int enzyme_out = 0;
static int enzyme_noret;
extern int enzyme_primal_return, enzyme_const_return, enzyme_active_return;
extern int enzyme_strong_zero, enzyme_not_overwritten;

void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_double(void *, ...);
struct pair { double first, second; };
struct pair __enzyme_autodiff_pair(void *, ...);

static double weighted(const double *x, int n, double w, double unused) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w * x[i] * x[i];
    return s + unused;
}
static void scale(double *y, const double *x, double k) { y[0] = k * x[0]; }
static double product(double a, double b) { return a * b; }

static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x[2] = {1, 2}, g[2] = {0, 0};
    double w = __enzyme_autodiff_double((void *)weighted, enzyme_dup, x, g, enzyme_const, 2, enzyme_out, 3.0, enzyme_const, 1.0);
    check("dup 0", g[0], 6);
    check("dup 1", g[1], 12);
    check("out", w, 5);
    struct pair p = __enzyme_autodiff_pair((void *)weighted, enzyme_const, x, 2, 3.0, 4.0);
    check("usual first", p.first, 5);
    check("usual second", p.second, 1);
    double y[1], dy[1] = {1}, dx[1] = {0};
    double k = __enzyme_autodiff_double((void *)scale, enzyme_dupnoneed, y, dy, x, dx, 5.0);
    check("noneed", dx[0], 5);
    check("noneed out", k, 1);
    check("consumed", dy[0], 0);
    g[0] = g[1] = 0;
    __enzyme_autodiff((void *)weighted, enzyme_const_return, x, g, 2, 3.0, 4.0);
    check("inactive result", g[0], 0);
    g[0] = g[1] = 0;
    __enzyme_autodiff((void *)weighted, enzyme_active_return, enzyme_not_overwritten, enzyme_dup, x, g, 2, 3.0, 4.0);
    check("active result", g[1], 12);
    g[0] = g[1] = 0;
    __enzyme_autodiff((void *)weighted, enzyme_noret, x, g, 2, 3.0, 4.0);
    check("result not wanted", g[1], 12);
    g[0] = g[1] = 0;
    __enzyme_autodiff((void *)weighted, enzyme_strong_zero, x, g, 2, 3.0, 4.0);
    check("strong zero", g[1], 12);
    struct pair q = __enzyme_autodiff_pair((void *)product, enzyme_primal_return, enzyme_const, 3.0, 4.0);
    check("primal", q.first, 12);
    check("derivative after it", q.second, 3);
    return failures;
}
