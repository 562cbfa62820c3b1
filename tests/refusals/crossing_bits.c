// Bits of active numbers that cross calls as integers, where a function makes a number of them again.
#include <stdint.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static uint64_t bits(double v, int k)
{
    uint64_t u;
    memcpy(&u, &v, 8);
    return k > 0 ? bits(v, k - 1) : u;
}
static double returned(double *x)
{
    uint64_t u = bits(x[0] * x[1], 2);
    double d;
    memcpy(&d, &u, 8); // error: a number that is made of the bits of an active one, which a function returned as an integer
    return d * d;
}
static double returned_forward(double *x)
{
    double t[2];
    ((uint64_t *)t)[1] = bits(x[0] * x[1], 2); // error: a number that is made of the bits of an active one, which a function returned as an integer
    return t[1] * t[1];
}

static uint64_t magnitude(double v, int k)
{
    uint64_t u;
    memcpy(&u, &v, 8);
    return k > 0 ? magnitude(v, k - 1) : u & 0x7fffffffffffffff;
}
static double computed(double *x)
{
    uint64_t u = magnitude(-x[0] * x[1], 2);
    double d;
    memcpy(&d, &u, 8); // error: a number that is made of the bits of an active one, which a function returned as an integer
    return d * d;
}

static double number(uint64_t u, int k)
{
    double d;
    if (k > 0)
        return number(u, k - 1);
    memcpy(&d, &u, 8);
    return d;
}
static double given(double *x)
{
    uint64_t u;
    double v = x[0] * x[1];
    memcpy(&u, &v, 8);
    return number(u, 2); // error: a call of 'number': it is given the bits of an active number as an integer
}
static double given_forward(double *x)
{
    uint64_t u;
    double v = x[0] * x[1];
    memcpy(&u, &v, 8);
    return number(u, 2); // error: a call of 'number': it is given the bits of an active number as an integer
}

static void put(uint64_t *to, uint64_t v, int k)
{
    if (k > 0)
        put(to, v, k - 1);
    else
        *to = v;
}
static double stored(double *x)
{
    uint64_t u, t[2];
    double v = x[0] * x[1], d;
    memcpy(&u, &v, 8);
    put(t, u, 2); // error: a call of 'put': it is given the bits of an active number as an integer
    memcpy(&d, t, 8);
    return d * d;
}

int main(void)
{
    double x[2] = {1, 2}, bar[2] = {0};
    __enzyme_autodiff((void *)returned, x, bar);
    __enzyme_fwddiff((void *)returned_forward, x, bar);
    __enzyme_autodiff((void *)computed, x, bar);
    __enzyme_autodiff((void *)given, x, bar);
    __enzyme_fwddiff((void *)given_forward, x, bar);
    return __enzyme_autodiff((void *)stored, x, bar) > 0;
}
