// 128-bit integers: multiplication, division, shifts, conversions.
#include "../check.h"
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void print_u128(u128 v)
{
    char digits[48];
    int n = 0;
    do {
        digits[n++] = (char)('0' + (int)(v % 10));
        v /= 10;
    } while (v);
    while (n--)
        putchar(digits[n]);
    putchar('\n');
}

static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) { return (uint64_t)((u128)a * b % m); }

static uint64_t powmod(uint64_t a, uint64_t e, uint64_t m)
{
    uint64_t r = 1;
    for (; e; e >>= 1, a = mulmod(a, a, m))
        if (e & 1)
            r = mulmod(r, a, m);
    return r;
}

int main(void)
{
    u128 f = 1;
    for (int i = 2; i <= 34; i++)
        f *= (unsigned)i;
    print_u128(f);
    i128 a = -((i128)1 << 100);
    CHECK((int64_t)(a >> 90) == -1024);
    CHECK(a / 3 * 3 + a % 3 == a);
    CHECK(a < 0 && -a > 0);
    u128 all = ~(u128)0;
    print_u128(all);
    CHECK(all + 1 == 0);
    CHECK((double)((u128)1 << 100) == 1267650600228229401496703205376.0);
    CHECK((u128)1e20 == (u128)100000000000ull * 1000000000ull);
    CHECK(powmod(3, 1000000006, 1000000007) == 1);
    uint64_t p = 18446744073709551557ull;
    CHECK(powmod(2, p - 1, p) == 1);
    i128 acc = 0;
    for (int i = 0; i < 100; i++)
        acc += (i128)INT64_MAX * (i % 2 ? -1 : 3);
    CHECK(acc == (i128)INT64_MAX * 100);
    a = acc;
    a <<= 3;
    a ^= 5;
    a |= 2;
    a &= ~(i128)1;
    print_u128((u128)a);
    return check_done();
}
