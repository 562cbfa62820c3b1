// Several directions at once: width, shadows at a stride, shadows at the end.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_dupv, enzyme_interleave, enzyme_primal_return;
struct three { double d[3]; };
struct four { double v; double d[3]; };
struct three __enzyme_fwddiff(void *, ...);
struct four __enzyme_fwddiff_primal(void *, ...);
void __enzyme_fwddiff_void(void *, ...);

static double norm(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
static double power(double x) { return x * x * x; }
static void squares(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}

static int failures;
static void check(const char *what, double got, double want) {
    if (fabs(got - want) > 1e-9 * (1 + fabs(want))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x[3] = {1, 2, 3};
    double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    struct three g = __enzyme_fwddiff((void *)norm, enzyme_width, 3, enzyme_dup, x, e[0], e[1], e[2], enzyme_const, 3);
    for (int i = 0; i < 3; i++) check("width", g.d[i], 2 * x[i]);
    g = __enzyme_fwddiff((void *)norm, enzyme_width, 3, enzyme_dupv, sizeof e[0], x, e, enzyme_const, 3);
    for (int i = 0; i < 3; i++) check("stride", g.d[i], 2 * x[i]);
    g = __enzyme_fwddiff((void *)norm, enzyme_width, 3, x, 3, enzyme_interleave, e[0], e[1], e[2]);
    for (int i = 0; i < 3; i++) check("interleaved", g.d[i], 2 * x[i]);
    g = __enzyme_fwddiff((void *)power, enzyme_width, 3, 2.0, 1.0, 2.0, 3.0);
    for (int i = 0; i < 3; i++) check("number", g.d[i], 12 * (i + 1));
    struct four f = __enzyme_fwddiff_primal((void *)power, enzyme_width, 3, enzyme_primal_return, enzyme_dup, 2.0, 1.0, 2.0, 3.0);
    check("primal", f.v, 8);
    for (int i = 0; i < 3; i++) check("tangents after it", f.d[i], 12 * (i + 1));
    double y[3], dy[3][3] = {{0}};
    __enzyme_fwddiff_void((void *)squares, enzyme_width, 3, enzyme_dupv, 24, y, dy, enzyme_dupv, 24, x, e, 3);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) check("jacobian", dy[k][i], k == i ? 2 * x[i] : 0);
    return failures;
}
