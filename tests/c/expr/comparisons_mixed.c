// Comparisons across types, results used as integers.
#include "../check.h"

static int compare3(double a, double b) { return (a > b) - (a < b); }
static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }

int main(void)
{
    volatile int minus = -1;
    volatile unsigned one = 1;
    volatile long lminus = -1;
    volatile unsigned char byte = 255;
    volatile signed char sbyte = -1;
    volatile float f = 0.1f;
    CHECK(!((unsigned)minus < one));
    CHECK(lminus < (long)one); // unsigned fits in long
    CHECK(byte != sbyte && byte > sbyte);
    CHECK(f > 0.1 && f == 0.1f);
    CHECK((char)0 == '\0' && 1.0 == 1 && 1u == 1L);
    CHECK(compare3(1, 2) == -1 && compare3(2, 1) == 1 && compare3(3, 3) == 0);
    CHECK(clamp(-5, 0, 10) == 0 && clamp(15, 0, 10) == 10 && clamp(5, 0, 10) == 5);
    int count = 0;
    for (int i = -5; i <= 5; i++)
        count += (i > 0) - (i < 0) * 2 + (i == 0) * 100;
    CHECK(count == 5 - 10 + 100);
    int flags = (minus < 0) << 0 | (one > 5) << 1 | (byte >= 255) << 2 | (sbyte <= -1) << 3;
    CHECK(flags == 13);
    CHECK(((3 > 2) > 1) == 0 && (1 < 2) == (3 < 4));
    long long wide = 4294967296LL;
    CHECK(wide > one && (int)wide == 0);
    printf("%d %d\n", count, flags);
    return check_done();
}
