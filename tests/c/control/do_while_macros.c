// do { } while (0) macros in if/else without braces.
#include "../check.h"

#define SWAP(type, a, b) \
    do { \
        type swap_temporary = (a); \
        (a) = (b); \
        (b) = swap_temporary; \
    } while (0)

#define REPEAT(n, body) \
    do { \
        for (int repeat_ = 0; repeat_ < (n); repeat_++) { \
            body; \
        } \
    } while (0)

#define FAIL_IF(c) do { if (c) { code = __LINE__ ? 1 : 0; goto end; } } while (0)

static int guarded(int x)
{
    int code = 0;
    FAIL_IF(x < 0);
    FAIL_IF(x > 100);
    do {
        if (x == 50)
            break;
        code = 2;
    } while (0);
end:
    return code;
}

int main(void)
{
    int a = 1, b = 2;
    double p = 1.5, q = 2.5;
    if (a < b)
        SWAP(int, a, b);
    else
        SWAP(double, p, q);
    CHECK(a == 2 && b == 1 && p == 1.5);
    if (a < b)
        SWAP(int, a, b);
    else
        SWAP(double, p, q);
    CHECK(p == 2.5 && q == 1.5);
    int n = 0;
    REPEAT(3, n += 2; REPEAT(2, n++));
    CHECK(n == 12);
    CHECK(guarded(-1) == 1 && guarded(101) == 1 && guarded(50) == 0 && guarded(7) == 2);
    printf("%d %d %d\n", a, b, n);
    return check_done();
}
