// Morton codes, radix sort by bytes, a linear octree and popcounts: bit manipulation on 64-bit keys.
#include "../check.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t key;
static key spread(uint32_t v)
{
    key x = v & 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}
static uint32_t compact(key x)
{
    x &= 0x1249249249249249ull;
    for (int s = 2; s <= 32; s <<= 1) {
        static const key mask[] = {0x10c30c30c30c30c3ull, 0x100f00f00f00f00full, 0x1f0000ff0000ffull, 0x1f00000000ffffull, 0x1fffffull};
        x = (x | x >> s) & mask[s == 2 ? 0 : s == 4 ? 1 : s == 8 ? 2 : s == 16 ? 3 : 4];
    }
    return (uint32_t)x;
}
static key encode(uint32_t x, uint32_t y, uint32_t z) { return spread(x) | spread(y) << 1 | spread(z) << 2; }
static void radix_sort(key *k, size_t n)
{
    key *other = malloc(n * sizeof *other), *from = k, *to = other;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t count[257] = {0};
        for (size_t i = 0; i < n; i++)
            count[(uint8_t)(from[i] >> shift) + 1]++;
        if (count[1] == n)
            continue;
        for (int b = 0; b < 256; b++)
            count[b + 1] += count[b];
        for (size_t i = 0; i < n; i++)
            to[count[from[i] >> shift & 0xff]++] = from[i];
        key *t = from;
        from = to, to = t;
    }
    if (from != k)
        memcpy(k, from, n * sizeof *k);
    free(other);
}
static int common_level(key a, key b)
{
    key d = a ^ b;
    int level = 21;
    for (; d; d >>= 3)
        level--;
    return level;
}
static unsigned popcount(key x)
{
    unsigned n = 0;
    for (; x; x &= x - 1)
        ++n;
    return n;
}
int main(void)
{
    enum { N = 500 };
    key k[N];
    uint32_t s = 1;
    uint64_t check = 0;
    for (int i = 0; i < N; i++) {
        uint32_t c[3];
        for (int d = 0; d < 3; d++)
            c[d] = (s = s * 22695477u + 1) >> 11;
        k[i] = encode(c[0], c[1], c[2]);
        CHECK(compact(k[i]) == c[0] && compact(k[i] >> 1) == c[1] && compact(k[i] >> 2) == c[2]);
        CHECK(popcount(k[i]) == popcount(c[0]) + popcount(c[1]) + popcount(c[2]));
    }
    radix_sort(k, N);
    int histogram[22] = {0};
    for (int i = 1; i < N; i++) {
        CHECK(k[i - 1] <= k[i]);
        histogram[common_level(k[i - 1], k[i])]++;
        check = (check << 7 | check >> 57) ^ k[i];
    }
    for (int l = 0; l < 8; l++)
        printf("%d%c", histogram[l], l < 7 ? ' ' : '\n');
    printf("%016" PRIx64 "\n", check);
    return check_done();
}
