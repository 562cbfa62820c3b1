// With enzyme_strong_zero an adjoint of zero stays zero, also where a partial is infinite.
#include <math.h>
#include <stdio.h>

extern int enzyme_strong_zero, enzyme_dup, enzyme_out;
double __enzyme_autodiff(void *, ...);
struct two {
    double x, y;
};
struct two __enzyme_autodiff2(void *, ...);

static double product(double x, double y)
{
    double huge = x / y;
    return 0.0 * huge + 3.0 * x;
}

static double logarithm(double *x)
{
    double dead = exp(1000.0 * x[1]) * x[0];
    return x[0] * x[0] + 0.0 * dead;
}

int main(void)
{
    double x[2] = {2.0, 1.0}, bar[2] = {0.0, 0.0};
    struct two d = __enzyme_autodiff2((void *)product, enzyme_strong_zero, enzyme_out, 2.0, enzyme_out, 0.0);
    __enzyme_autodiff((void *)logarithm, enzyme_strong_zero, enzyme_dup, x, bar);
    if (!(d.x == 3.0 && d.y == 0.0)) {
        printf("%g %g\n", d.x, d.y);
        return 1;
    }
    if (!(bar[0] == 4.0 && bar[1] == 0.0)) {
        printf("%g %g\n", bar[0], bar[1]);
        return 1;
    }
    return 0;
}
