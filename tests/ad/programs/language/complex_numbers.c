/* C99 complex: arithmetic, functions, arrays; gradients as those of the real and imaginary parts. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);

static double complex mobius(double complex z, double complex a) { return (z - a) / (1 - conj(a) * z); }

double potential(const double complex *z, int n)
{
    double complex s = 0;
    for (int i = 0; i < n; i++) {
        s += cexp(z[i]) * mobius(z[i], 0.3 + 0.1 * I);
        s *= 1 + 0.1 * csqrt(z[i]);
        for (int j = 0; j < i; j++)
            s += clog(z[i] - z[j]);
    }
    return cabs(s) + carg(s) * cimag(s);
}

int main(void)
{
    double complex z[3] = {0.2 + 0.5 * I, 1.1 - 0.3 * I, 0.4 + 0.9 * I}, g[3] = {0};
    __enzyme_autodiff((void *)potential, z, g, 3);
    for (int i = 0; i < 3; i++)
        for (int part = 0; part < 2; part++) {
            double complex k = z[i], h = part ? 1e-6 * I : 1e-6;
            z[i] = k + h;
            double a = potential(z, 3);
            z[i] = k - h;
            double b = potential(z, 3);
            z[i] = k;
            double got = part ? cimag(g[i]) : creal(g[i]), fd = (a - b) / 2e-6;
            if (!(fabs(got - fd) < 1e-7)) {
                printf("z[%d], part %d: %g vs %g\n", i, part, got, fd);
                return 1;
            }
        }
    return 0;
}
