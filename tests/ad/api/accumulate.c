// Shadows: what is read is added to, what is written holds the seed and is consumed; both for one array; calls again and again.
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static void copy(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = 3 * x[i];
}
static void in_place(double *x, int n) {
    for (int i = 1; i < n; i++) x[i] *= x[i - 1];
}
static double objective(const double *x) { return (x[0] - 3) * (x[0] - 3) + 2 * (x[1] + 1) * (x[1] + 1); }
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    double x[2] = {1, 2}, dx[2] = {10, 20}, y[2], dy[2] = {1, 2};
    __enzyme_autodiff((void *)copy, enzyme_dup, y, dy, enzyme_dup, x, dx, enzyme_const, 2);
    check("added", dx[0], 13), check("added", dx[1], 26);
    check("consumed", dy[0], 0), check("consumed", dy[1], 0);
    check("primal", y[1], 6);
    double z[3] = {2, 3, 4}, dz[3] = {0, 0, 1};
    __enzyme_autodiff((void *)in_place, z, dz, 3);
    check("z0", dz[0], 12), check("z1", dz[1], 8), check("z2", dz[2], 6), check("value", z[2], 24);
    double p[2] = {0, 0};
    for (int step = 0; step < 200; step++) {
        double g[2] = {0, 0};
        __enzyme_autodiff((void *)objective, enzyme_dup, p, g);
        for (int i = 0; i < 2; i++) p[i] -= 0.2 * g[i];
    }
    check("descent", p[0], 3), check("descent", p[1], -1);
    double g[2] = {0, 0}, q[2] = {1, 1};
    for (int i = 0; i < 4; i++) __enzyme_autodiff((void *)objective, q, g);
    check("four times", g[0], 4 * 2 * (1 - 3));
    return failures;
}
