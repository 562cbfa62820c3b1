// break and continue bind to the nearest loop.
#include "../check.h"

int main(void)
{
    int visited = 0, skipped = 0;
    for (int i = 0; i < 10; i++) {
        if (i % 3 == 2) {
            skipped++;
            continue;
        }
        for (int j = 0;; j++) {
            if (j > i)
                break;
            if ((i + j) % 2)
                continue;
            visited += i * 10 + j;
        }
        if (i == 8)
            break;
    }
    printf("%d %d\n", visited, skipped);
    int k = 0, total = 0;
    while (1) {
        k++;
        if (k < 5)
            continue;
        int m = k;
        do {
            m--;
            if (m % 2)
                continue;
            total += m;
            if (total > 100)
                break;
        } while (m > 0);
        if (total > 100)
            break;
    }
    printf("%d %d\n", k, total);
    // continue in a do-while goes to the condition
    int n = 0, tests = 0;
    do {
        n++;
        if (n == 3)
            continue;
        tests += n;
    } while (n < 6);
    CHECK(tests == 18);
    int primes = 0;
    for (int p = 2; p < 200; p++) {
        int composite = 0;
        for (int d = 2; d * d <= p; d++)
            if (p % d == 0) {
                composite = 1;
                break;
            }
        if (composite)
            continue;
        primes++;
    }
    CHECK(primes == 46);
    return check_done();
}
