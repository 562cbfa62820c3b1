/* Forward mode on C99 complex numbers: holomorphic functions have the complex derivative. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

void __enzyme_fwddiff(void *, ...);
extern int enzyme_dup;

static void f(const double complex *z, double complex *w)
{
    double complex t = *z;
    for (int i = 0; i < 3; i++)
        t = t * t * 0.4 + cexp(0.3 * *z) / (2 + t);
    *w = t + csin(*z) * I;
}

int main(void)
{
    double complex z = 0.4 + 0.7 * I, w, one = 1, dw = 0, i = I, dwi = 0, a, b, h = 1e-6;
    __enzyme_fwddiff((void *)f, enzyme_dup, &z, &one, enzyme_dup, &w, &dw);
    __enzyme_fwddiff((void *)f, enzyme_dup, &z, &i, enzyme_dup, &w, &dwi);
    double complex zp = z + h, zm = z - h;
    f(&zp, &a);
    f(&zm, &b);
    if (!(cabs(dw - (a - b) / 2e-6) < 1e-8 && cabs(dwi - I * dw) < 1e-13)) {
        printf("%g%+gi vs %g%+gi\n", creal(dw), cimag(dw), creal((a - b) / 2e-6), cimag((a - b) / 2e-6));
        return 1;
    }
    return 0;
}
