// Division truncates toward zero; the remainder has the dividend's sign.
#include "../check.h"
#include <limits.h>

static int floor_div(int a, int b)
{
    int q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}
static int positive_mod(int a, int b) { int r = a % b; return r < 0 ? r + b : r; }

int main(void)
{
    for (int a = -7; a <= 7; a += 2)
        for (int b = -3; b <= 3; b++) {
            if (b == 0)
                continue;
            printf("%d/%d=%d r %d floor %d\n", a, b, a / b, a % b, floor_div(a, b));
            CHECK(a / b * b + a % b == a);
        }
    CHECK(positive_mod(-1, 5) == 4);
    unsigned u = UINT_MAX;
    CHECK(u / 2 == INT_MAX);
    CHECK(u % 10 == 5);
    CHECK(-7 / 2u == 2147483644u);
    CHECK(INT_MIN / 1 == INT_MIN && INT_MIN % 2 == 0);
    CHECK(LLONG_MIN / 2 == -(1LL << 62));
    long long big = 9223372036854775807LL;
    CHECK(big % 1000000007LL == 291172003LL);
    short s = -7;
    s /= 2;
    CHECK(s == -3);
    s %= 2;
    CHECK(s == -1);
    unsigned char uc = 250;
    uc /= 3;
    CHECK(uc == 83);
    return check_done();
}
