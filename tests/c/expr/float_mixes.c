// interp: inexact long double is computed with 64 bits
// Mixing float, double and long double with integers.
#include "../check.h"

static float half(float x) { return x / 2; }
static double mix(int i, float f, double d, long double ld) { return (double)(i + f * d - ld); }

int main(void)
{
    float f = 0.1f;
    double d = 0.1;
    long double ld = 0.1L;
    CHECK(f != d);
    CHECK((float)d == f);
    CHECK((double)ld == d);
    CHECK(sizeof(f * 1) == sizeof(float));
    CHECK(sizeof(f * 1.0) == sizeof(double));
    CHECK(sizeof(d * 1.0L) == sizeof(long double));
    CHECK(16777216.0f + 1.0f == 16777216.0f);
    CHECK(16777216.0f + 1.0 == 16777217.0);
    int big = 16777217;
    float g = (float)big;
    CHECK(g == 16777216.0f);
    CHECK((int)3.99 == 3 && (int)-3.99 == -3);
    CHECK((unsigned)3.5f == 3u);
    CHECK((unsigned char)200.7 == 200);
    CHECK((unsigned long long)1.8e19 == 18000000000000000000ull);
    CHECK((double)18000000000000000000ull == 1.8e19);
    CHECK((float)-1LL == -1.0f);
    CHECK(1 / 2 * 2.0 == 0.0 && 1 / 2.0 * 2 == 1.0);
    CHECK(half(3) == 1.5f);
    int i = 5;
    i *= 1.5;
    CHECK(i == 7);
    i -= 0.5f;
    CHECK(i == 6);
    f += 1;
    d += f;
    printf("%.9g %.17g %.20Lg %.17g\n", f, d, ld + f, mix(3, 2.5f, 1.25, 0.125L));
    float sum = 0;
    for (int k = 1; k <= 100; k++)
        sum += 1.0f / k;
    printf("%.9g\n", sum);
    return check_done();
}
