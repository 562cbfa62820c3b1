// Every compound assignment operator on every arithmetic type.
#include "../check.h"

#define INTEGER_TEST(type, name) \
    static void name(void) \
    { \
        type x = 100; \
        x += 7; printf("%lld ", (long long)x); \
        x -= 120; printf("%lld ", (long long)x); \
        x *= 3; printf("%lld ", (long long)x); \
        x /= 2; printf("%lld ", (long long)x); \
        x %= 11; printf("%lld ", (long long)x); \
        x |= 0x55; printf("%lld ", (long long)x); \
        x &= 0x3c; printf("%lld ", (long long)x); \
        x ^= 0x1f; printf("%lld ", (long long)x); \
        x <<= 2; printf("%lld ", (long long)x); \
        x >>= 1; printf("%lld " #type "\n", (long long)x); \
    }

INTEGER_TEST(char, on_char)
INTEGER_TEST(signed char, on_schar)
INTEGER_TEST(unsigned char, on_uchar)
INTEGER_TEST(short, on_short)
INTEGER_TEST(unsigned short, on_ushort)
INTEGER_TEST(int, on_int)
INTEGER_TEST(unsigned, on_unsigned)
INTEGER_TEST(long, on_long)
INTEGER_TEST(unsigned long, on_ulong)
INTEGER_TEST(long long, on_llong)
INTEGER_TEST(unsigned long long, on_ullong)

#define REAL_TEST(type, name) \
    static void name(void) \
    { \
        type x = 1.5; \
        x += 2; x -= 0.25; x *= 3; x /= 4; \
        printf("%.17g " #type "\n", (double)x); \
        CHECK(x == (type)2.4375); \
    }
REAL_TEST(float, on_float)
REAL_TEST(double, on_double)
REAL_TEST(long double, on_ldouble)

int main(void)
{
    on_char(); on_schar(); on_uchar(); on_short(); on_ushort(); on_int(); on_unsigned();
    on_long(); on_ulong(); on_llong(); on_ullong();
    on_float(); on_double(); on_ldouble();
    int a[3] = {1, 2, 3}, i = 0;
    a[i++] += 10; // the left side is evaluated once
    CHECK(i == 1 && a[0] == 11 && a[1] == 2);
    int *p = a;
    *p++ *= 2;
    CHECK(p == a + 1 && a[0] == 22);
    int x = 1, y = 2;
    x += y += 3;
    CHECK(x == 6 && y == 5);
    return check_done();
}
