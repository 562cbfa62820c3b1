// Markers and entry points declared in many ways: in blocks, as thread-local, static, in one declaration, twice.
#include <math.h>
#include <stdio.h>

extern __thread int enzyme_thread_unused;
static __thread int enzyme_dup;
static const int enzyme_const = 1;
extern int enzyme_out;
extern int enzyme_out;
double __enzyme_autodiff();
double __enzyme_autodiff_first(void *, ...), __enzyme_autodiff_second(double (*)(const double *, int), ...);

static double f(const double *x, int n) { return x[n] * x[n]; }
static double g(double x) { return 5 * x; }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
static double inside(double x) {
    extern double __enzyme_autodiff_block(void *, ...);
    extern int enzyme_active_return;
    return __enzyme_autodiff_block((void *)g, enzyme_active_return, x);
}
int main(void) {
    double x[2] = {2, 3}, d[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 1);
    check("unprototyped", d[1], 6);
    __enzyme_autodiff_first((void *)f, x, d, 1);
    check("again", d[1], 12);
    __enzyme_autodiff_second(f, x, d, enzyme_const, 0);
    check("typed first argument", d[0], 4);
    check("out", __enzyme_autodiff_first((void *)g, enzyme_out, 1.0), 5);
    check("block", inside(2), 5);
    return failures;
}
