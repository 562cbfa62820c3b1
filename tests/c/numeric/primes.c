// Sieves, factorisation, Miller-Rabin, totients, modular inverse.
#include "../check.h"
#include <stdint.h>
#include <string.h>

#define LIMIT 10000
static unsigned char composite[LIMIT + 1];
static uint32_t bits[LIMIT / 64 + 1];

static int sieve(void)
{
    int count = 0;
    for (int i = 2; i <= LIMIT; i++) {
        if (composite[i])
            continue;
        count++;
        for (long j = (long)i * i; j <= LIMIT; j += i)
            composite[j] = 1;
    }
    return count;
}
static int odd_bit_sieve(void)
{
    int count = 1;
    memset(bits, 0xff, sizeof bits);
    for (unsigned i = 3; i <= LIMIT; i += 2)
        if (bits[i >> 6] >> (i >> 1 & 31) & 1) {
            count++;
            for (unsigned j = i * i; j <= LIMIT; j += 2 * i)
                bits[j >> 6] &= ~(1u << (j >> 1 & 31));
        }
    return count;
}
static uint64_t power(uint64_t b, uint64_t e, uint64_t m)
{
    uint64_t r = 1;
    for (b %= m; e; e >>= 1, b = b * b % m)
        if (e & 1)
            r = r * b % m;
    return r;
}
static int is_prime(uint32_t n)
{
    if (n < 2 || (n % 2 == 0 && n != 2))
        return 0;
    uint32_t d = n - 1;
    int s = 0;
    while (d && d % 2 == 0) {
        d /= 2;
        s++;
    }
    static const uint32_t witnesses[] = {2, 7, 61};
    for (int k = 0; k < 3; k++) {
        uint32_t a = witnesses[k];
        if (a % n == 0)
            continue;
        uint64_t x = power(a, d, n);
        if (x == 1 || x == n - 1)
            continue;
        int i = 1;
        for (; i < s; i++) {
            x = x * x % n;
            if (x == n - 1)
                break;
        }
        if (i >= s)
            return 0;
    }
    return 1;
}
static long inverse(long a, long m)
{
    long r0 = m, r1 = a, t0 = 0, t1 = 1;
    while (r1) {
        long q = r0 / r1, t;
        t = r0 - q * r1, r0 = r1, r1 = t;
        t = t0 - q * t1, t0 = t1, t1 = t;
    }
    return t0 < 0 ? t0 + m : t0;
}

int main(void)
{
    CHECK(sieve() == 1229 && odd_bit_sieve() == 1229);
    for (uint32_t n = 2; n < 2000; n++)
        CHECK(is_prime(n) == !composite[n]);
    CHECK(is_prime(2147483647u) && !is_prime(2147483649u) && !is_prime(3215031751u));
    int n = 360360;
    printf("%d =", n);
    for (int p = 2; n > 1; p++)
        while (n % p == 0) {
            printf(" %d", p);
            n /= p;
        }
    printf("\n");
    CHECK(inverse(3, 11) == 4 && inverse(12345, 1000007) * 12345 % 1000007 == 1);
    int totient = 0;
    for (int k = 1; k <= 36; k++) {
        int a = 36, b = k;
        while (b) { int t = a % b; a = b; b = t; }
        totient += a == 1;
    }
    CHECK(totient == 12);
    return check_done();
}
