// Forward mode: markers, usual activities, the primal result, pointers, structs.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_dupnoneed, enzyme_primal_return, enzyme_const_return;
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
struct both { double value, tangent; };
struct both __enzyme_fwddiff_both(void *, ...);
struct vec { double x, y; };
struct vec __enzyme_fwddiff_vec(void *, ...);

static double f(double x, double y) { return x * x * y; }
static double sum(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += sin(x[i]);
    return s;
}
static void twice(double *out, const double *in) { out[0] = 2 * in[0]; }
static struct vec rotate(struct vec v) { struct vec r = {-v.y * v.x, v.x}; return r; }

static int failures;
static void check(const char *what, double got, double want) {
    if (fabs(got - want) > 1e-9 * (1 + fabs(want))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    check("usual", __enzyme_fwddiff((void *)f, 2.0, 1.0, 3.0, 0.0), 12);
    check("both", __enzyme_fwddiff((void *)f, enzyme_dup, 2.0, 1.0, enzyme_dup, 3.0, 1.0), 16);
    check("one is const", __enzyme_fwddiff((void *)f, enzyme_const, 2.0, enzyme_dup, 3.0, 1.0), 4);
    double x[2] = {0.5, 0.7}, dx[2] = {1, 2};
    check("array", __enzyme_fwddiff((void *)sum, enzyme_dup, x, dx, enzyme_const, 2), cos(0.5) + 2 * cos(0.7));
    struct both b = __enzyme_fwddiff_both((void *)f, enzyme_primal_return, 2.0, 1.0, 3.0, 0.0);
    check("primal", b.value, 12);
    check("tangent", b.tangent, 12);
    double out[1] = {0}, dout[1] = {0};
    __enzyme_fwddiff_void((void *)twice, enzyme_dup, out, dout, x, dx);
    check("out", out[0], 1);
    check("out tangent", dout[0], 2);
    dout[0] = 0;
    __enzyme_fwddiff_void((void *)twice, enzyme_dupnoneed, out, dout, enzyme_dup, x, dx);
    check("not needed", dout[0], 2);
    struct vec v = {2, 3}, dv = {1, 0};
    struct vec r = __enzyme_fwddiff_vec((void *)rotate, v, dv);
    check("struct x", r.x, -3);
    check("struct y", r.y, 1);
    __enzyme_fwddiff_void((void *)f, enzyme_const_return, 2.0, 1.0, 3.0, 0.0);
    return failures;
}
