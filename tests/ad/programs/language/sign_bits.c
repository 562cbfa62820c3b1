// Absolute values and negations by the sign bit, through unions, pointers and memcpy.
// needs: simplify
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_out;
double __enzyme_autodiff(void *, ...);

typedef union { double d; uint64_t u; int64_t s; } bits;

static double magnitude(double x)
{
    bits a;
    a.d = x * x * x;
    a.u &= ~(1ULL << 63);
    return a.d * x;
}

static double signed_mask(double x)
{
    bits a = {.d = sin(x)};
    a.s &= INT64_MAX;
    return a.d * a.d * a.d;
}

static double turned(double x)
{
    double y = exp(x);
    uint64_t u;
    memcpy(&u, &y, sizeof u);
    u ^= 0x8000000000000000ULL;
    memcpy(&y, &u, sizeof y);
    return y * x;
}

static double negative(double x)
{
    bits a;
    a.d = x * x * x;
    a.u |= 1ULL << 63;
    return a.d + x;
}

static double in_float(double x)
{
    union { float f; uint32_t u; } a;
    a.f = (float)(x * 2);
    a.u &= 0x7fffffffu;
    return (double)a.f * x;
}

static double chosen(double x)
{
    bits a;
    a.d = x * x * x;
    if (x > 0) a.u ^= 1ULL << 63;
    else a.u &= INT64_MAX;
    return a.d;
}

#define CHECK(f, tolerance)                                                                       \
    for (double x = -1.3; x < 2; x += 0.8) {                                                      \
        double h = 1e-3, d = __enzyme_autodiff((void *)f, enzyme_out, x);                         \
        double e = (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);        \
        if (fabs(d - e) > tolerance * (1 + fabs(e))) {                                            \
            printf("%s at %g: %.12g, expected %.12g\n", #f, x, d, e);                             \
            bad++;                                                                                \
        }                                                                                         \
    }

int main(void)
{
    int bad = 0;
    CHECK(magnitude, 1e-8)
    CHECK(signed_mask, 1e-8)
    CHECK(turned, 1e-8)
    CHECK(negative, 1e-8)
    CHECK(in_float, 1e-3)
    CHECK(chosen, 1e-8)
    return bad;
}
