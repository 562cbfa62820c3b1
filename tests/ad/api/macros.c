// Functions and calls that macros make.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#define DUP(x) enzyme_dup, (x), (d_##x)
#define CONST(x) enzyme_const, (x)
#define DEFINE(name, expression) \
    static double name(double x) { return expression; } \
    static double name##_prime(double x) { return __enzyme_autodiff((void *)name, x); }
#define LIST(X) X(sine, sin(x), cos(x)) X(cube, x * x * x, 3 * x * x) X(expo, exp(2 * x), 2 * exp(2 * x))
#define ONE(name, expression, derivative) DEFINE(name, expression)
LIST(ONE)
static double dot(const double *a, const double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
#define GRADIENT(f, ...) __enzyme_autodiff((void *)(f), __VA_ARGS__)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double x = 0.6;
#define CHECK_ONE(name, expression, derivative) check(#name, name##_prime(x), derivative);
    LIST(CHECK_ONE)
    double a[2] = {1, 2}, d_a[2] = {0}, b[2] = {3, 4}, d_b[2] = {0};
    GRADIENT(dot, DUP(a), DUP(b), CONST(2));
    check("a", d_a[1], 4), check("b", d_b[0], 1);
    check("max", MAX(GRADIENT(cube, x), GRADIENT(sine, x)), MAX(3 * x * x, cos(x)));
    return failures;
}
