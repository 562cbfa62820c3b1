/* Forward over forward for a directional second derivative of an ODE flow, against finite differences of the first. */
#include <math.h>
#include <stdio.h>

double __enzyme_fwddiff(void *, ...);
double __enzyme_fwddiff_second(void *, ...);
extern int enzyme_dup, enzyme_const;

static double flow(double y, double t, int n)
{
    double h = t / n;
    for (int i = 0; i < n; i++)
        y += h * (1 - y * y);
    return y;
}

static double first(double y, double t) { return __enzyme_fwddiff((void *)flow, enzyme_dup, y, 1.0, enzyme_const, t, enzyme_const, 50); }

int main(void)
{
    double y = 0.3, t = 1.5, e = 1e-5;
    double d2 = __enzyme_fwddiff_second((void *)first, enzyme_dup, y, 1.0, enzyme_const, t);
    double fd2 = (first(y + e, t) - first(y - e, t)) / (2 * e), fd1 = (flow(y + e, t, 50) - flow(y - e, t, 50)) / (2 * e);
    if (!(fabs(first(y, t) - fd1) < 1e-8 && fabs(d2 - fd2) < 1e-8)) {
        printf("first %g vs %g, second %g vs %g\n", first(y, t), fd1, d2, fd2);
        return 1;
    }
    return 0;
}
