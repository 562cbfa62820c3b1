// Classic bit manipulation.
#include "../check.h"
#include <stdint.h>

static int popcount(uint32_t x)
{
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return (int)((((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}
static uint32_t reverse(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++, x >>= 1)
        r = (r << 1) | (x & 1);
    return r;
}
static uint32_t next_power(uint32_t v)
{
    v--;
    for (int s = 1; s < 32; s <<= 1)
        v |= v >> s;
    return v + 1;
}
static uint32_t gray(uint32_t n) { return n ^ (n >> 1); }
static uint32_t ungray(uint32_t g)
{
    for (uint32_t s = 16; s; s >>= 1)
        g ^= g >> s;
    return g;
}
static uint32_t swap_bytes(uint32_t x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
static uint32_t spread(uint16_t v)
{
    uint32_t x = v;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}
static int absolute(int x) { int m = x >> 31; return (x ^ m) - m; }
static int parity(uint32_t x) { int p = 0; while (x) { p = !p; x &= x - 1; } return p; }

int main(void)
{
    uint32_t x = 0xdeadbeef;
    for (int i = 0; i < 6; i++, x = x * 2654435761u + 1)
        printf("%08x %d %08x %08x %d\n", x, popcount(x), reverse(x), swap_bytes(x), parity(x));
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK(ungray(gray(i)) == i);
        CHECK(popcount(gray(i) ^ gray(i + 1)) == 1);
    }
    CHECK(next_power(17) == 32 && next_power(64) == 64);
    CHECK((spread(3) | spread(5) << 1) == 0x27);
    CHECK(absolute(-9) == 9 && absolute(9) == 9);
    CHECK((12 & -12) == 4 && popcount(0xffffffffu) == 32);
    int a = 5, b = 9;
    a ^= b; b ^= a; a ^= b;
    CHECK(a == 9 && b == 5);
    CHECK(__builtin_popcount(0xf0f0) == 8 && __builtin_ctz(40) == 3 && __builtin_clz(1) == 31);
    return check_done();
}
