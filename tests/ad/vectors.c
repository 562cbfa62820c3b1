// Vectors in and out: seeds in, gradients added, seeds consumed.
#include <math.h>
#include <stdio.h>
void __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const, enzyme_dupnoneed;
double __enzyme_autodiff_d(void *, ...);
static void vec(const double *x, double *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] = sin(x[i]) * (i ? x[i - 1] : 1);
}
static double cube(double x, const double *c) { return c[0] * x * x * x; }

int main(void) {
    double x[3] = {1, 2, 3}, dx[3] = {0}, y[3], dy[3] = {1, 2, 3};
    __enzyme_autodiff((void *)vec, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
    double e0 = cos(1.0) * 1 + 2 * sin(2.0), e1 = 2 * cos(2.0) * 1 + 3 * sin(3.0), e2 = 3 * cos(3.0) * 2;
    printf("%g %g %g | %g %g %g | %g %g %g\n", dx[0] - e0, dx[1] - e1, dx[2] - e2, dy[0], dy[1], dy[2], y[0], y[1],
           y[2]);
    double c[1] = {2};
    double g = __enzyme_autodiff_d((void *)cube, 1.5, enzyme_const, c);
    printf("%g\n", g - 2 * 3 * 1.5 * 1.5);
    return fabs(dx[0] - e0) + fabs(dx[1] - e1) + fabs(dx[2] - e2) + dy[0] + dy[1] + dy[2] > 1e-12 ||
           fabs(g - 13.5) > 1e-12;
}
