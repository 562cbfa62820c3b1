// Unions: sharing, type punning, in structs and arrays.
#include "../check.h"
#include <stdint.h>

union word { float f; uint32_t u; unsigned char bytes[4]; struct { uint16_t low, high; } halves; };
union number { double d; uint64_t u; int64_t i; };

static float fast_inverse_sqrt(float x)
{
    union word w = {.f = x};
    w.u = 0x5f3759df - (w.u >> 1);
    return w.f * (1.5f - 0.5f * x * w.f * w.f);
}

static int exponent(double d) { union number n; n.d = d; return (int)(n.u >> 52 & 0x7ff) - 1023; }
static double next_after(double d) { union number n = {d}; n.i++; return n.d; }

int main(void)
{
    union word w;
    w.f = 1.0f;
    CHECK(w.u == 0x3f800000u && w.halves.high == 0x3f80 && w.bytes[3] == 0x3f);
    w.bytes[2] |= 0x40;
    CHECK(w.f == 1.75f || w.f == 1.5f);
    printf("%.9g %.9g\n", w.f, fast_inverse_sqrt(4));
    CHECK(exponent(1) == 0 && exponent(1024.5) == 10 && exponent(0.3) == -2);
    CHECK(next_after(1.0) > 1.0 && next_after(1.0) - 1.0 < 3e-16);
    union number table[3] = {{1.5}, {.i = -1}, {.u = 7}};
    CHECK(table[1].u == UINT64_MAX && table[0].d == 1.5);
    union number copy = table[0];
    copy.u ^= 1ull << 63;
    CHECK(copy.d == -1.5 && table[0].d == 1.5);
    union number *p = &table[2];
    p->d = -0.0;
    CHECK(p->u == 0x8000000000000000ull);
    CHECK(sizeof(union word) == 4 && sizeof(union number) == 8);
    return check_done();
}
