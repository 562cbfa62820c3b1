/* Many different call sites and shapes of one function in one program, in loops, conditions and arguments of other calls. */
#include <math.h>
#include <stdio.h>

extern int enzyme_out, enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double model(double a, double b, const double *c, int n)
{
    double r = a;
    for (int i = 0; i < n; i++)
        r = r * b + c[i];
    return r;
}

static double newton(double target, const double *c, int n)
{
    double x = 1.5;
    for (int i = 0; i < 50; i++) {
        double slope = __enzyme_autodiff((void *)model, enzyme_const, 1.0, enzyme_out, x, enzyme_const, c, enzyme_const, n);
        double step = (model(1.0, x, c, n) - target) / slope;
        x -= step;
        if (fabs(step) < 1e-14)
            break;
    }
    return x;
}

int main(void)
{
    double c[3] = {0.5, -1, 2}, dc[3];
    for (int k = 1; k <= 5; k++) {
        double root = newton(k + 2.0, c, 3);
        if (!(fabs(model(1.0, root, c, 3) - (k + 2.0)) < 1e-12)) {
            printf("target %d: root %g\n", k, root);
            return 1;
        }
    }
    for (int n = 0; n <= 3; n++) {
        double da = __enzyme_autodiff((void *)model, enzyme_out, 2.0, enzyme_const, 0.7, enzyme_const, c, enzyme_const, n);
        double ta = __enzyme_fwddiff((void *)model, enzyme_dup, 2.0, 1.0, enzyme_const, 0.7, enzyme_const, c, enzyme_const, n);
        dc[0] = dc[1] = dc[2] = 0;
        __enzyme_autodiff((void *)model, enzyme_const, 2.0, enzyme_const, 0.7, enzyme_dup, c, dc, enzyme_const, n);
        if (!(fabs(da - pow(0.7, n)) < 1e-14 && da == ta)) {
            printf("n = %d: %g and %g\n", n, da, ta);
            return 1;
        }
        for (int i = 0; i < 3; i++)
            if (!(fabs(dc[i] - (i < n ? pow(0.7, n - 1 - i) : 0)) < 1e-14)) {
                printf("n = %d, c[%d]: %g\n", n, i, dc[i]);
                return 1;
            }
    }
    return 0;
}
