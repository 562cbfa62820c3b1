// NTT polynomial product modulo 998244353.
#include "../check.h"
#include <stdint.h>

#define MOD 998244353u
static uint32_t power(uint32_t b, uint32_t e)
{
    uint64_t r = 1, x = b;
    for (; e; e >>= 1, x = x * x % MOD)
        if (e & 1)
            r = r * x % MOD;
    return (uint32_t)r;
}
static void ntt(uint32_t *a, int n, int inverse)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            uint32_t t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (int length = 2; length <= n; length <<= 1) {
        uint32_t w = power(3, (MOD - 1) / (uint32_t)length);
        if (inverse)
            w = power(w, MOD - 2);
        for (int i = 0; i < n; i += length) {
            uint64_t f = 1;
            for (int k = 0; k < length / 2; k++) {
                uint32_t u = a[i + k], v = (uint32_t)(a[i + k + length / 2] * f % MOD);
                a[i + k] = u + v < MOD ? u + v : u + v - MOD;
                a[i + k + length / 2] = u >= v ? u - v : u + MOD - v;
                f = f * w % MOD;
            }
        }
    }
    if (inverse) {
        uint64_t ni = power((uint32_t)n, MOD - 2);
        for (int i = 0; i < n; i++)
            a[i] = (uint32_t)(a[i] * ni % MOD);
    }
}

int main(void)
{
    uint32_t a[128] = {0}, b[128] = {0}, c[128] = {0};
    for (uint32_t i = 0; i < 60; i++) {
        a[i] = i * i + 1;
        b[i] = 1000000 - i * 31;
    }
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 60; j++)
            c[i + j] = (uint32_t)((c[i + j] + (uint64_t)a[i] * b[j]) % MOD);
    ntt(a, 128, 0);
    ntt(b, 128, 0);
    for (int i = 0; i < 128; i++)
        a[i] = (uint32_t)((uint64_t)a[i] * b[i] % MOD);
    ntt(a, 128, 1);
    for (int i = 0; i < 128; i++)
        CHECK(a[i] == c[i]);
    printf("%u %u\n", a[50], a[118]);
    return check_done();
}
