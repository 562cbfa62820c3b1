// Unsigned counters, counting down, variable steps, edges of types.
#include "../check.h"
#include <limits.h>
#include <stddef.h>

int main(void)
{
    unsigned long sum = 0;
    for (unsigned i = 10; i-- > 0;)
        sum += i;
    CHECK(sum == 45);
    for (size_t k = 5; k <= 5; k--) // stops when it wraps
        sum += k;
    CHECK(sum == 60);
    for (unsigned char c = 250; c != 4; c++)
        sum++;
    CHECK(sum == 70);
    for (int i = INT_MAX - 3; i < INT_MAX; i++)
        sum++;
    CHECK(sum == 73);
    for (long i = -3; i <= 3; i += 2)
        sum += (unsigned long)(i * i);
    CHECK(sum == 93);
    int step = 1, count = 0;
    for (int i = 0; i < 100; i += step) {
        step = i / 10 + 1;
        count++;
    }
    printf("%d\n", count);
    for (int i = 20; i >= 0; i -= 3)
        count += i;
    for (short s = 1; s > 0 && s < 10000; s = (short)(s * 3))
        count++;
    for (double x = 0; x < 1; x += 0.125)
        count++;
    for (float x = 1; x > 1e-3f; x /= 2)
        count++;
    for (unsigned bit = 1; bit; bit <<= 1)
        count++;
    for (char c = 'a'; c <= 'z'; c += 5)
        count += c;
    for (int i = 0; i != 9; i += 3)
        count++;
    for (int i = 10; i; i--)
        count++;
    int n = 7;
    while (n --> 0)
        count += n;
    for (int i = 0, j = 100; i <= j; i += 7, j -= 3)
        count += j - i;
    printf("%d %d\n", count, n);
    return check_done();
}
