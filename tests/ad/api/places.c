// Calls wherever an expression can be: macros, initialisers, conditions, arguments, loops, other calls' arguments, statement expressions, sizeof.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
#define DERIVATIVE(f, ...) __enzyme_autodiff((void *)(f), __VA_ARGS__)
#define TWICE(e) ((e) + (e))

static double f(double x) { return x * x * x; }
static double g(double x, double y) { return x * y * y; }
static inline double slope(double x) { return DERIVATIVE(f, x); }

static int failures, calls;
static void check(const char *what, double got, double want) {
    if (fabs(got - want) > 1e-9 * (1 + fabs(want))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
static double count(double x) { calls++; return x; }
struct box { double a[2]; };

int main(void) {
    double x = 2;
    double local = DERIVATIVE(f, x), list[2] = {DERIVATIVE(f, 1.0), DERIVATIVE(g, x, enzyme_const, 3.0)};
    struct box box = {.a = {[1] = DERIVATIVE(f, x)}};
    check("initialiser", local, 12);
    check("list", list[0] + list[1], 3 + 9);
    check("member", box.a[1], 12);
    check("inline function", slope(3), 27);
    check("argument", fabs(-DERIVATIVE(f, x)), 12);
    check("nested", __enzyme_autodiff(f, __enzyme_autodiff(f, __enzyme_fwddiff(f, 1.0, 1.0))), 3 * 27.0 * 27.0);
    check("twice", TWICE(DERIVATIVE(f, x)), 24);
    if (DERIVATIVE(f, x) > 11 && __enzyme_fwddiff(f, x, 1.0) < 13) check("condition", 1, 1); else check("condition", 0, 1);
    double s = 0;
    for (int i = 0; DERIVATIVE(f, (double)i) < 13; i++) s += DERIVATIVE(f, (double)i);
    check("loop", s, 0 + 3 + 12);
    check("once", DERIVATIVE(f, count(x)), 12);
    check("calls", calls, 1);
    check("sizeof", sizeof(__enzyme_autodiff((void *)f, count(x))), sizeof(double));
    check("calls after sizeof", calls, 1);
    check("statement", ({ double t = DERIVATIVE(f, x); t + 1; }), 13);
    check("conditional", x > 1 ? __enzyme_autodiff(f, x) : __enzyme_fwddiff(f, x, 2.0), 12);
    check("several lines", __enzyme_autodiff(
                                (void *)
                                    g,
                                enzyme_const,
                                x, 3.0), 12);
    double *p = &s;
    *p = 0, *p += DERIVATIVE(f, x), s *= 2;
    check("comma", s, 24);
    return failures;
}
