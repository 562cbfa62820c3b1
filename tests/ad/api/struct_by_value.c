// Structs by value: of numbers their derivative is returned, with pointers they have a shadow, and in forward mode a tangent.
#include <math.h>
#include <stdio.h>

struct vec { double x, y, z; };
struct data { const double *values; int count; };
struct vec __enzyme_autodiff_vec(void *, ...);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct both { struct vec v; double k; };
struct both __enzyme_autodiff_both(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_out;

static double length(struct vec v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
static double scaled(struct vec v, double k) { return k * (v.x * v.y + v.z); }
static double mean(struct data d) {
    double s = 0;
    for (int i = 0; i < d.count; i++) s += d.values[i] * d.values[i];
    return s / d.count;
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    struct vec v = {1, 2, 2};
    struct vec g = __enzyme_autodiff_vec((void *)length, v);
    check("x", g.x, 1.0 / 3), check("y", g.y, 2.0 / 3), check("z", g.z, 2.0 / 3);
    g = __enzyme_autodiff_vec((void *)length, enzyme_out, v);
    check("marked", g.x, 1.0 / 3);
    struct both b = __enzyme_autodiff_both((void *)scaled, v, 3.0);
    check("v.x", b.v.x, 6), check("v.z", b.v.z, 3), check("k", b.k, 4);
    check("constant struct", __enzyme_autodiff((void *)scaled, enzyme_const, v, 3.0), 4);
    double a[2] = {1, 2}, da[2] = {0, 0};
    struct data d = {a, 2}, dd = {da, 0};
    __enzyme_autodiff((void *)mean, d, dd);
    check("through a struct", da[1], 2);
    struct vec t = {1, 0, 0};
    check("forward", __enzyme_fwddiff((void *)length, v, t), 1.0 / 3);
    double ta[2] = {0, 1};
    struct data td = {ta, 0};
    check("forward through a struct", __enzyme_fwddiff((void *)mean, enzyme_dup, d, td), 2);
    return failures;
}
