// flags: -lm
// Float bits through memcpy; objects as bytes.
#include "../check.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t bits_of(double d) { uint64_t u; memcpy(&u, &d, sizeof u); return u; }
static double from_bits(uint64_t u) { double d; memcpy(&d, &u, sizeof d); return d; }
static uint32_t float_bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }

static double my_ldexp(double x, int e) { return x * from_bits((uint64_t)(e + 1023) << 52); }
static double my_fabs(double x) { return from_bits(bits_of(x) & ~(1ull << 63)); }
static int ulps(double a, double b)
{
    int64_t x = (int64_t)bits_of(a), y = (int64_t)bits_of(b);
    return (int)(x > y ? x - y : y - x);
}
static uint32_t checksum(const void *p, size_t n)
{
    const unsigned char *b = p;
    uint32_t a = 1, s = 0;
    while (n--) {
        a = (a + *b++) % 65521;
        s = (s + a) % 65521;
    }
    return s << 16 | a;
}
static void swap_any(void *a, void *b, size_t n)
{
    unsigned char *x = a, *y = b;
    for (; n--; x++, y++) {
        unsigned char t = *x;
        *x = *y;
        *y = t;
    }
}

int main(void)
{
    CHECK(bits_of(1.0) == 0x3ff0000000000000ull && float_bits(-2.0f) == 0xc0000000u);
    CHECK(my_ldexp(1.5, 10) == 1536.0 && my_fabs(-3.25) == 3.25);
    CHECK(ulps(1.0, nextafter(1.0, 2.0)) == 1 && ulps(0.1 + 0.2, 0.3) == 1);
    double values[4] = {1, -0.5, 1e100, 3.14159};
    printf("%08x\n", checksum(values, sizeof values));
    double a = 1, b = 2;
    swap_any(&a, &b, sizeof a);
    swap_any(&values[0], &values[3], sizeof(double));
    CHECK(a == 2 && b == 1 && values[0] == 3.14159);
    struct { int i; float f; } s = {7, 2.0f}, t;
    memcpy(&t, &s, sizeof t);
    CHECK(t.i == 7 && t.f == 2.0f);
    unsigned char raw[8];
    memcpy(raw, &values[1], 8);
    CHECK(raw[7] == 0xbf && raw[6] == 0xe0);
    CHECK(isnan(from_bits(0x7ff8000000000001ull)) && isinf(from_bits(0x7ff0000000000000ull)));
    for (int i = 0; i < 4; i++)
        printf("%016llx\n", (unsigned long long)bits_of(values[i]));
    return check_done();
}
