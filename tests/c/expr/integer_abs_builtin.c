// Builtins that fold to plain arithmetic, and overflow-checking ones.
#include "../check.h"
#include <limits.h>
#include <stdlib.h>

static int checked_add(int a, int b, int *out) { return __builtin_add_overflow(a, b, out); }
static int checked_mul(long a, long b, long *out) { return __builtin_mul_overflow(a, b, out); }

int main(void)
{
    CHECK(abs(-4) == 4 && labs(-5L) == 5 && llabs(-6LL) == 6);
    int r;
    CHECK(!checked_add(1, 2, &r) && r == 3);
    CHECK(checked_add(INT_MAX, 1, &r) && r == INT_MIN);
    long l;
    CHECK(checked_mul(LONG_MAX, 2, &l) && l == -2);
    CHECK(!checked_mul(-3, 7, &l) && l == -21);
    unsigned u;
    CHECK(__builtin_sub_overflow(1u, 2u, &u) && u == UINT_MAX);
    CHECK(__builtin_expect(r < 0, 1));
    CHECK(__builtin_constant_p(3) == 1);
    CHECK(__builtin_bswap32(0x01020304u) == 0x04030201u);
    CHECK(__builtin_bswap64(1ull) == 0x0100000000000000ull);
    CHECK(__builtin_ffs(8) == 4 && __builtin_parity(7) == 1);
    CHECK(__builtin_popcountll(~0ull) == 64 && __builtin_ctzll(1ull << 40) == 40);
    div_t d = div(-17, 5);
    ldiv_t ld = ldiv(17L, -5L);
    CHECK(d.quot == -3 && d.rem == -2 && ld.quot == -3 && ld.rem == 2);
    if (r > 0)
        __builtin_unreachable();
    printf("%d %d %ld\n", d.quot, d.rem, ld.quot);
    return check_done();
}
