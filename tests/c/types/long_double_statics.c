// interp: skip long double is a double there
// Static objects of type long double: literals and constant arithmetic keep all 64 bits.
#include "../check.h"

static long double table[] = {0.1L, -1.0L / 3, 1e4000L, 18446744073709551615ULL, 0x1.8p-3L, 2.0L * 0.7L - 0.3L};

static long double pi(void)
{
    static const long double value = 3.14159265358979323846264338327950288L;
    static long double shift = -0.1L;
    static double rounded = 0.1L;
    static int truncated = (int)(-7.9L);
    CHECK(rounded == 0.1 && truncated == -7);
    return value + shift;
}

int main(void)
{
    volatile long double one = 1, three = 3, ten = 10;
    CHECK(table[0] == one / ten);
    CHECK(table[1] == -(one / three));
    CHECK(table[3] + 1 == 18446744073709551616.0L);
    CHECK(table[4] == 0.1875L);
    CHECK(pi() == 3.14159265358979323846264338327950288L - one / ten);
    printf("%.25Lg %.25Lg %.25Lg\n", table[2], table[5], pi());
    return check_done();
}
