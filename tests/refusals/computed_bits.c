// Numbers that are put together of the bits of active ones, by integers that lie in variables or in memory meanwhile.
// flags: -fno-strict-aliasing
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double turned(double x)
{
    double y = x * x, z;
    uint64_t bits;
    memcpy(&bits, &y, 8);
    bits ^= (uint64_t)1 << 51; // error: 'bits': the bits of an active number are stored as an integer
    memcpy(&z, &bits, 8);
    return z;
}

double in_a_block(double x)
{
    double y[2] = {x * x, x}, z;
    uint64_t *bits = malloc(sizeof y);
    memcpy(bits, y, sizeof y);
    bits[0] += 4096; // error: 'bits': the bits of an active number are stored as an integer
    memcpy(&z, bits, 8);
    free(bits);
    return z;
}

double in_an_array(double x)
{
    uint64_t bits[4];
    double y[4];
    for (int i = 0; i < 4; i++) {
        y[i] = x * i;
        memcpy(&bits[i], &y[i], 8);
    }
    for (int i = 0; i < 4; i++)
        bits[i] |= 1; // error: 'bits': the bits of an active number are stored as an integer
    memcpy(y, bits, sizeof y);
    return y[1] + y[2];
}

double forward(double x)
{
    double y = x * x, z;
    uint64_t bits;
    memcpy(&bits, &y, 8);
    bits ^= (uint64_t)1 << 51; // error: 'bits': a number is computed from the bits of an active one
    memcpy(&z, &bits, 8);
    return z;
}

int main(void)
{
    return __enzyme_autodiff((void *)turned, 2.0) + __enzyme_autodiff((void *)in_a_block, 2.0) + __enzyme_autodiff((void *)in_an_array, 2.0)
        + __enzyme_fwddiff((void *)forward, 2.0, 1.0) > 1.0;
}
