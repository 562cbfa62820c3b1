// A Jacobian in all ways: row by row in reverse, column by column in forward, all columns at once.
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_width;

static void polar(const double *in, double *out) {
    out[0] = in[0] * cos(in[1]);
    out[1] = in[0] * sin(in[1]);
    out[2] = in[0] * in[1];
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double in[2] = {2, 0.5}, out[3];
    double want[3][2] = {{cos(0.5), -2 * sin(0.5)}, {sin(0.5), 2 * cos(0.5)}, {0.5, 2}};
    for (int r = 0; r < 3; r++) {
        double g[2] = {0, 0}, seed[3] = {0};
        seed[r] = 1;
        __enzyme_autodiff((void *)polar, enzyme_dup, in, g, enzyme_dupnoneed, out, seed);
        for (int c = 0; c < 2; c++) check("row", g[c], want[r][c]);
    }
    for (int c = 0; c < 2; c++) {
        double t[2] = {0, 0}, column[3];
        t[c] = 1;
        __enzyme_fwddiff((void *)polar, enzyme_dup, in, t, enzyme_dupnoneed, out, column);
        for (int r = 0; r < 3; r++) check("column", column[r], want[r][c]);
    }
    double t0[2] = {1, 0}, t1[2] = {0, 1}, c0[3], c1[3];
    __enzyme_fwddiff((void *)polar, enzyme_width, 2, enzyme_dup, in, t0, t1, enzyme_dup, out, c0, c1);
    for (int r = 0; r < 3; r++) check("both", c0[r], want[r][0]), check("both", c1[r], want[r][1]);
    return failures;
}
