// Custom forward derivatives, functions that behave as known ones, inactive functions and globals.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double step(double x) { return x > 0; }
static double step_tangent(double x, double dx) { (void)x; return 5 * dx; }
void *__enzyme_register_derivative_step[] = {(void *)step, (void *)step_tangent};

static double pragma_step(double x) { return x > 0; }
static double pragma_step_tangent(double x, double dx) { (void)x; return 6 * dx; }
#pragma adjoin derivative(pragma_step) forward(pragma_step_tangent)

static double mylog(double x) { return 2 * x; }
void *__enzyme_function_like_mylog[] = {(void *)mylog, "log1p"};
__attribute__((enzyme_function_like("exp"))) static double myexp(double x) { return exp(x); }
static double mysin(double x) { return 4 * x; }
#pragma adjoin like(mysin, sin)

static double count;
static double noise(double x) { count += x; return 0.5; }
void *__enzyme_inactivefn_noise[] = {(void *)noise};
__attribute__((enzyme_inactive)) static double silent(double x) { return x * x; }
static double quiet(double x) { return x * x; }
#pragma adjoin inactive(quiet)

static double total __attribute__((enzyme_inactive));
static double logged(double x) { total = x * x; return total + x; }

static double f(double x) { return step(x) + pragma_step(x * x); }
static double g(double x) { return mylog(x * x) + myexp(x) + mysin(x); }
static double h(double x) { return x * noise(x) + silent(x) + quiet(x); }

static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x = 0.7;
    check("custom", __enzyme_fwddiff((void *)f, x, 1.0), 5 + 6 * 2 * x);
    double like = 2 * x / (1 + x * x) + exp(x) + cos(x);
    check("like, forward", __enzyme_fwddiff((void *)g, x, 1.0), like);
    check("like, reverse", __enzyme_autodiff((void *)g, x), like);
    check("inactive, forward", __enzyme_fwddiff((void *)h, x, 1.0), 0.5);
    check("inactive, reverse", __enzyme_autodiff((void *)h, x), 0.5);
    check("called", count, 2 * x);
    check("inactive global, forward", __enzyme_fwddiff((void *)logged, x, 1.0), 1);
    check("inactive global, reverse", __enzyme_autodiff((void *)logged, x), 1);
    return failures;
}
