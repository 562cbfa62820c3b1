// The bits of numbers as keys of tables and for their exponents, in functions that are not inlined: integers that stay integers.
#include "../../check.h"
#include <stdint.h>

struct entry {
    uint64_t key;
    int used;
    double value;
};

static uint64_t hash(double v, int rounds)
{
    uint64_t u, h = 1469598103934665603u;
    memcpy(&u, &v, 8);
    for (int i = 0; i < 8; i++) {
        h ^= (u >> (8 * i)) & 0xff;
        h *= 1099511628211u;
    }
    return rounds > 0 ? hash(v, rounds - 1) : h;
}

static double remembered(struct entry *t, int size, double v)
{
    uint64_t h = hash(v, 1);
    int at = (int)(h % (uint64_t)size);
    while (t[at].used && t[at].key != h)
        at = (at + 1) % size;
    if (!t[at].used) {
        t[at].used = 1;
        t[at].key = h;
        t[at].value = exp(v);
    }
    return t[at].value;
}

static double by_hash(double *x, int n)
{
    struct entry t[37] = {{0}};
    double s = 0;
    for (int i = 0; i < n; i++)
        s += remembered(t, 37, x[i] * x[i]) + remembered(t, 37, x[i]);
    for (int i = 0; i < n; i++)
        s += remembered(t, 37, x[i] * x[i]) * i;
    return s;
}
GRADIENT(by_hash)

static int find(struct entry *t, int size, uint64_t key, int at)
{
    if (!t[at].used || t[at].key == key)
        return at;
    return find(t, size, key, (at + 1) % size);
}

static void put(struct entry *t, int size, uint64_t key, double value)
{
    int at = find(t, size, key, (int)(key % 7));
    t[at].used = 1;
    t[at].key = key;
    t[at].value = value;
    if (size < 0)
        put(t, size, key, value);
}

static double by_bits(double *x, int n)
{
    struct entry t[37] = {{0}};
    double s = 0;
    uint64_t u;
    for (int i = 0; i < n; i++) {
        memcpy(&u, &x[i], 8);
        put(t, 37, u, x[i] * x[i]);
    }
    for (int i = 0; i < n; i++) {
        memcpy(&u, &x[i], 8);
        s += t[find(t, 37, u, (int)(u % 7))].value * x[i];
    }
    return s;
}
GRADIENT(by_bits)

static int exponent(double v, int k)
{
    uint64_t u;
    memcpy(&u, &v, 8);
    if (k > 3)
        return exponent(v * 2, k - 1) - 1;
    return (int)((u >> 52) & 0x7ff) - 1023;
}

static double by_exponent(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        int e = exponent(x[i] * 8, 5);
        s += ldexp(x[i], -e) * e + (double)e * x[i];
    }
    return s;
}
GRADIENT(by_exponent)

int main(void)
{
    return CHECK(by_hash, 6) | CHECK(by_bits, 5) | CHECK(by_exponent, 4);
}
