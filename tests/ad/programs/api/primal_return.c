/* enzyme_primal_return: the value comes back with its derivatives. */
#include <math.h>
#include <stdio.h>

extern int enzyme_primal_return, enzyme_out, enzyme_dup, enzyme_const;
struct value_and_slope { double value, slope; };
struct value_and_two { double value, da, db; };
struct value_and_slope __enzyme_autodiff(void *, ...);
struct value_and_two __enzyme_autodiff3(void *, ...);
double __enzyme_autodiff_value(void *, ...);
struct value_and_slope __enzyme_fwddiff(void *, ...);

static double f(double x) { return exp(-x) * sin(3 * x); }
static double g(double a, double b) { return a / (1 + b * b); }
static double norm(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}

int main(void)
{
    struct value_and_slope r = __enzyme_autodiff((void *)f, enzyme_primal_return, enzyme_out, 0.4);
    double slope = exp(-0.4) * (3 * cos(1.2) - sin(1.2));
    if (!(fabs(r.value - f(0.4)) < 1e-15 && fabs(r.slope - slope) < 1e-14)) {
        printf("f: %g %g\n", r.value, r.slope);
        return 1;
    }
    struct value_and_two t = __enzyme_autodiff3((void *)g, enzyme_primal_return, 2.0, 0.5);
    if (!(fabs(t.value - 1.6) < 1e-15 && fabs(t.da - 0.8) < 1e-15 && fabs(t.db - -2 / (1.25 * 1.25)) < 1e-14)) {
        printf("g: %g %g %g\n", t.value, t.da, t.db);
        return 1;
    }
    double x[2] = {3, 4}, dx[2] = {0, 0};
    double v = __enzyme_autodiff_value((void *)norm, enzyme_primal_return, enzyme_dup, x, dx, enzyme_const, 2);
    if (!(v == 5 && fabs(dx[0] - 0.6) < 1e-15 && fabs(dx[1] - 0.8) < 1e-15)) {
        printf("norm: %g (%g %g)\n", v, dx[0], dx[1]);
        return 1;
    }
    struct value_and_slope w = __enzyme_fwddiff((void *)f, enzyme_primal_return, enzyme_dup, 0.4, 1.0);
    if (!(fabs(w.value - f(0.4)) < 1e-15 && fabs(w.slope - slope) < 1e-14)) {
        printf("forward: %g %g\n", w.value, w.slope);
        return 1;
    }
    return 0;
}
