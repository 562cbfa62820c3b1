// Functions in variables that can hold only one function.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_proto(double (*)(double), double);

static double f(double x) { return x * x * x; }
static double g(double x) { return sin(x); }
static double (*const fixed)(double) = f;
static void *const raw = (void *)g;

static double apply(double (*function)(double), double x) { return __enzyme_autodiff((void *)function, x); }
static double through(double (*function)(double), double x) { return apply(function, x) * 2; }

static int failures;
static void check(const char *what, double got, double want) {
    if (fabs(got - want) > 1e-9 * (1 + fabs(want))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x = 2;
    double (*local)(double) = g;
    void *later;
    later = (void *)f;
    check("const global", __enzyme_autodiff((void *)fixed, x), 12);
    check("const void pointer", __enzyme_autodiff(raw, x), cos(x));
    check("local", __enzyme_autodiff_proto(local, x), cos(x));
    check("assigned", __enzyme_autodiff(later, x), 12);
    check("parameter", apply(f, x), 12);
    check("two levels", through(&f, x), 24);
    return failures;
}
