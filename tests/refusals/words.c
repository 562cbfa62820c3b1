// Integers that are computed from the bits of numbers and become numbers again.
#include <stdint.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double guessed(const double *x)
{
    float y[2] = {(float)(x[0] * x[0]), (float)x[1]};
    int32_t bits[2];
    memcpy(bits, y, sizeof bits);
    for (int i = 0; i < 2; i++)
        bits[i] = 0x5f3759df - (bits[i] >> 1); // error: 'bits': the bits of an active number are stored as an integer
    memcpy(y, bits, sizeof y);
    return y[0] + y[1];
}

double mantissa(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)(bits & 0xfffffffffffffull) * 0x1p-52; // error: this conversion: the integer is computed from the bits of an active number
}

double mantissa_of_a_member(double x)
{
    union { double number; uint64_t bits; } u = {x};
    return (double)(u.bits & 0xfffffffffffffull); // error: this conversion: the integer is computed from the bits of an active number
}

double main_gradients(const double *x, double *g)
{
    return __enzyme_autodiff((void *)guessed, x, g) + __enzyme_fwddiff((void *)mantissa, x[0], 1.0)
         + __enzyme_fwddiff((void *)mantissa_of_a_member, x[0], 1.0);
}
