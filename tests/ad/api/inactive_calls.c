// Functions of the library that carry no derivative, and output in the middle.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
static double f(double x, const char *name) {
    char buffer[64];
    assert(x > 0);
    snprintf(buffer, sizeof buffer, "%s %g", name, x);
    if (strlen(buffer) > 60) abort();
    int k = atoi("3") + (strcmp(name, "x") == 0);
    double r = isnan(x) ? 0 : k * x * x;
    fflush(stdout);
    return r + rand() * 0.0;
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("reverse", __enzyme_autodiff((void *)f, 2.0, enzyme_const, "x"), 16);
    check("forward", __enzyme_fwddiff((void *)f, 2.0, 1.0, enzyme_const, "x"), 16);
    return failures;
}
