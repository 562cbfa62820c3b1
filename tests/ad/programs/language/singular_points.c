/* Singular points under guards: no NaN may leak out of a branch that was not taken, and active zeros behave. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static double safe_sqrt(double x) { return x > 0 ? sqrt(x) : 0; }
static double entropy(double p) { return p > 0 ? -p * log(p) : 0; }
static double distance(const double *a)
{
    double s = 0;
    for (int i = 0; i < 3; i++)
        s += safe_sqrt(a[i]) + entropy(a[i]) + pow(a[i], 2) + fabs(a[i]) * a[i];
    return s;
}
static double power_of_zero(double x) { return pow(x, 3) + pow(x, 1) + x * x; }

int main(void)
{
    double a[3] = {0.0, 0.25, 4.0}, g[3] = {0};
    __enzyme_autodiff_void((void *)distance, a, g);
    double want[3] = {0, 1 - log(0.25) - 1 + 0.5 + 0.5, 0.25 - log(4.0) - 1 + 8 + 8};
    for (int i = 0; i < 3; i++)
        if (!(fabs(g[i] - want[i]) < 1e-13)) {
            printf("a[%d]: %g vs %g\n", i, g[i], want[i]);
            return 1;
        }
    double d = __enzyme_autodiff((void *)power_of_zero, 0.0);
    if (!(fabs(d - 1) < 1e-15)) {
        printf("at zero: %g\n", d);
        return 1;
    }
    return 0;
}
