// Functions in variables: one that is known, one of several, and any whose address is taken.
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

static double h(double x) { return x * x; }
double any(double (*function)(double), double x) { return __enzyme_autodiff((void *)function, x) + function(x); }
static double (*table[2])(double) = {f, g};
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
    double (*either)(double) = x > 1 ? f : h;
    check("first of two", __enzyme_autodiff((void *)either, x), 12);
    either = h;
    check("second of two", __enzyme_autodiff((void *)either, x), 4);
    check("any", any(g, x), cos(x) + sin(x));
    for (int i = 0; i < 2; i++) check("table", __enzyme_autodiff((void *)table[i], x), i ? cos(x) : 12);
    return failures;
}
