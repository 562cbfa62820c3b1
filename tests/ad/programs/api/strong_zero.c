/* An infinite partial times a zero adjoint is zero: with enzyme_strong_zero, and by itself where the result does not use it. */
#include <math.h>
#include <stdio.h>

extern int enzyme_strong_zero, enzyme_dup, enzyme_out;
void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_d(void *, ...);

static double masked(const double *x, const double *mask)
{
    double s = 0;
    for (int i = 0; i < 3; i++)
        s += mask[i] * sqrt(x[i]);
    return s;
}

extern int enzyme_const;

int main(void)
{
    double x[3] = {4, 0, 1}, mask[3] = {1, 0, 2}, g[3] = {0};
    __enzyme_autodiff((void *)masked, enzyme_strong_zero, enzyme_dup, x, g, enzyme_const, mask);
    if (!(g[0] == 0.25 && g[1] == 0 && g[2] == 1)) {
        printf("%g %g %g\n", g[0], g[1], g[2]);
        return 1;
    }
    return 0;
}
