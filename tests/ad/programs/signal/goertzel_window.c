/* Windowed Goertzel filter in long double. */
#include <math.h>
#include <stdio.h>

long double __enzyme_autodiff(void *, ...);
extern int enzyme_out, enzyme_const;

long double power(long double omega, const long double *x, int n)
{
    long double s0, s1 = 0.0L, s2 = 0.0L, c = 2 * cosl(omega);
    for (int i = 0; i < n; i++) {
        long double w = 0.5L * (1 - cosl(2 * 3.14159265358979323846L * i / (n - 1)));
        s0 = w * x[i] + c * s1 - s2;
        s2 = s1;
        s1 = s0;
    }
    return s1 * s1 + s2 * s2 - c * s1 * s2;
}

int main(void)
{
    long double x[32];
    for (int i = 0; i < 32; i++)
        x[i] = sinl(0.7L * i);
    long double g = __enzyme_autodiff((void *)power, enzyme_out, 0.66L, enzyme_const, x, enzyme_const, 32);
    long double h = 1e-6L, fd = (power(0.66L + h, x, 32) - power(0.66L - h, x, 32)) / (2 * h);
    if (!(fabsl(g - fd) < 1e-7L * (1 + fabsl(fd)))) {
        printf("%.15Lg vs %.15Lg\n", g, fd);
        return 1;
    }
    return 0;
}
