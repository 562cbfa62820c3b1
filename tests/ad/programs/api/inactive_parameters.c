// Parameters that are inactive because the program says so.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double scaled(double x, __attribute__((enzyme_inactive)) double scale)
{
    return x * x * scale;
}

__attribute__((noinline)) static double weighted(const double *x, const double *w __attribute__((enzyme_inactive)), int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * w[i];
    return s;
}

static double f(double x)
{
    return scaled(x, x) + scaled(2 * x, sin(x));
}

static double g(const double *x, int n)
{
    return weighted(x, x, n) * x[0];
}

static int failures;

static void check(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want)))) {
        printf("%s: %.15g, not %.15g\n", what, got, want);
        failures++;
    }
}

int main(void)
{
    double t = 0.7;
    check("reverse", __enzyme_autodiff((void *)f, t), 2 * t * t + 8 * t * sin(t));
    check("forward", __enzyme_fwddiff((void *)f, t, 1.0), 2 * t * t + 8 * t * sin(t));
    check("itself", __enzyme_autodiff((void *)scaled, t, enzyme_const, 3.0), 6 * t);
    double x[3] = {1, 2, 3}, x_bar[3] = {0};
    __enzyme_autodiff((void *)g, enzyme_dup, x, x_bar, enzyme_const, 3);
    check("x_bar[0]", x_bar[0], 14 + 1);
    check("x_bar[1]", x_bar[1], 2);
    check("x_bar[2]", x_bar[2], 3);
    for (int k = 0; k < 3; k++) {
        double x_dot[3] = {0};
        x_dot[k] = 1;
        check("x_dot", __enzyme_fwddiff((void *)g, enzyme_dup, x, x_dot, enzyme_const, 3), x_bar[k]);
    }
    return failures;
}
