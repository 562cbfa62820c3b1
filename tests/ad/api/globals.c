// Globals that are read, written, and carried through; a second call starts afresh.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double scale = 3;
static double last, table[3] = {1, 2, 3};
static int calls;
static double f(double x) {
    calls++;
    last = x * x;
    return scale * last + table[1] * x;
}
static double chain(double x) {
    last = x;
    for (int i = 0; i < 3; i++) last = last * last;
    return last;
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("read", __enzyme_autodiff((void *)f, 2.0), 14);
    check("value", last, 4);
    check("calls", calls, 1);
    scale = 5;
    check("changed", __enzyme_autodiff((void *)f, 2.0), 22);
    check("forward", __enzyme_fwddiff((void *)f, 2.0, 1.0), 22);
    check("chain", __enzyme_autodiff((void *)chain, 1.1), 8 * pow(1.1, 7));
    check("chain again", __enzyme_autodiff((void *)chain, 1.1), 8 * pow(1.1, 7));
    check("chain, forward", __enzyme_fwddiff((void *)chain, 1.1, 1.0), 8 * pow(1.1, 7));
    return failures;
}
