// Several loop-carried values, swaps of state, values after the loop.
#include "../check.h"

static unsigned fibonacci(int n)
{
    unsigned a = 0, b = 1;
    while (n-- > 0) {
        unsigned t = a + b;
        a = b;
        b = t;
    }
    return a;
}

static double egypt(double x, unsigned n)
{
    double result = 1, base = x;
    for (; n; n >>= 1) {
        if (n & 1)
            result *= base;
        base *= base;
    }
    return result;
}

static void min_max(const int *v, int n, int *low, int *high, int *where)
{
    int lo = v[0], hi = v[0], index = 0;
    for (int i = 1; i < n; i++) {
        if (v[i] < lo)
            lo = v[i];
        else if (v[i] > hi) {
            hi = v[i];
            index = i;
        }
    }
    *low = lo;
    *high = hi;
    *where = index;
}

static int rotate(int a, int b, int c, int n)
{
    int last = 0;
    for (int i = 0; i < n; i++) {
        int t = a;
        a = b;
        b = c;
        c = t + i;
        last = i % 3 ? last : b;
    }
    return a * 10000 + b * 100 + c + last;
}

int main(void)
{
    CHECK(fibonacci(30) == 832040);
    CHECK(egypt(1.5, 10) == 57.6650390625);
    int v[] = {5, -2, 9, 9, 3, -7, 8}, lo, hi, at;
    min_max(v, 7, &lo, &hi, &at);
    CHECK(lo == -7 && hi == 9 && at == 2);
    for (int n = 0; n < 8; n++)
        printf("%d ", rotate(1, 2, 3, n));
    printf("\n");
    return check_done();
}
