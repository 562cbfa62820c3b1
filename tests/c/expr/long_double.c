// interp: skip long double is computed with 64 bits
// flags: -lm
// long double arithmetic and its conversions.
#include "../check.h"
#include <float.h>
#include <math.h>

static long double pi_machin(void)
{
    long double a = 0, b = 0, x = 1.0L / 5, y = 1.0L / 239;
    long double px = x, py = y;
    for (int k = 0; k < 40; k++) {
        long double sign = k & 1 ? -1 : 1;
        a += sign * px / (2 * k + 1);
        b += sign * py / (2 * k + 1);
        px *= x * x;
        py *= y * y;
    }
    return 4 * (4 * a - b);
}

int main(void)
{
    long double p = pi_machin();
    printf("%.18Lf\n", p);
    CHECK((double)p == 3.141592653589793);
    CHECK(1.0L + LDBL_EPSILON > 1.0L && 1.0L + DBL_EPSILON / 4 != 1.0L);
    long double big = 1e4000L;
    CHECK(isinf((double)big) && big / 1e3999L > 9.9L);
    long double third = 1.0L / 3;
    CHECK(third != (double)third);
    long long i = (long long)9007199254740993.0L;
    CHECK(i == 9007199254740993LL && (double)i == 9007199254740992.0);
    long double v[4] = {1, 2.5L, -3, 4}, s = 0;
    for (int k = 0; k < 4; k++)
        s += v[k] * v[k];
    CHECK(s == 32.25L);
    s = sqrtl(s);
    s -= 1;
    s++;
    printf("%.15Lg %.15g\n", s, (double)fabsl(-third));
    return check_done();
}
