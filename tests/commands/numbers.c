// Complex numbers, long double, macros from the command line, early exits.
// adjoin: check %s -f newton --range a=1:4
// adjoin: check %s -f wave --set n=4 --size z=n
// adjoin: check %s -f weights --set n=5 --size x=n --size index=n -- -DPOWER=3
// adjoin: check %s -f weights --set n=5 --set index=4,3,2,1,0 --size x=n --size index=n -DPOWER=2
// adjoin: vjp %s -f wave
// adjoin: grad %s -f newton
// adjoin: hvp %s -f newton
// adjoin: grad %s -f wave
// fails: needs one real number
#include <complex.h>
#include <math.h>
#include <stddef.h>
#ifndef POWER
#define POWER 1
#endif
long double newton(long double a)
{
    long double x = a;
    for (int i = 0; i < 50; i++) {
        long double next = 0.5L * (x + a / x);
        if (fabsl(next - x) < 1e-18L)
            return next;
        x = next;
    }
    return x;
}
double _Complex wave(size_t n, const double _Complex *z, double phase)
{
    double _Complex sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += z[k] * cexp(I * phase * (double)k);
    return sum;
}
double weights(int n, const int *index, const double *x)
{
    double w = 0;
    for (int i = 0; i < n; i++)
        w += pow(x[index[i]], POWER) * (i + 1);
    return w;
}
