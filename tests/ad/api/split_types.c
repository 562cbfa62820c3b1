// The sweeps apart for other signatures: numbers only, no result, pointers returned, two calls in flight, in a loop.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct taped { void *tape; double value; };
struct taped __enzyme_augmentfwd(void *, ...);
void *__enzyme_augmentfwd_tape(void *, ...);
double __enzyme_reverse(void *, ...);
void __enzyme_reverse_void(void *, ...);
struct two { double a, b; };
struct two __enzyme_reverse_two(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;
static double square(double x) { return x * x; }
static double product(double a, double b) { return a * b; }
static void advance(double *x, int n, double h) {
    for (int i = 0; i < n; i++) x[0] += h * sin(x[0]);
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    struct taped a = __enzyme_augmentfwd((void *)square, 3.0), b = __enzyme_augmentfwd((void *)square, 5.0);
    check("a", a.value, 9), check("b", b.value, 25);
    check("da", __enzyme_reverse((void *)square, 3.0, 1.0, a.tape), 6);
    check("db", __enzyme_reverse((void *)square, 5.0, 2.0, b.tape), 20);
    void *t = __enzyme_augmentfwd_tape((void *)product, 3.0, 4.0);
    struct two g = __enzyme_reverse_two((void *)product, 3.0, 4.0, 1.0, t);
    check("two", g.a, 4), check("two", g.b, 3);
    double x[1] = {0.5}, d[1] = {1}, y = 0.5, dy = 1;
    void *tapes[4];
    for (int k = 0; k < 4; k++) tapes[k] = __enzyme_augmentfwd_tape((void *)advance, enzyme_dup, x, d, enzyme_const, 3, enzyme_const, 0.1);
    for (int k = 3; k >= 0; k--) __enzyme_reverse_void((void *)advance, enzyme_dup, x, d, enzyme_const, 3, enzyme_const, 0.1, tapes[k]);
    for (int k = 0; k < 12; k++) dy *= 1 + 0.1 * cos(y), y += 0.1 * sin(y);
    check("steps", d[0], dy), check("value", x[0], y);
    return failures;
}
