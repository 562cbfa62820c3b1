// Several pseudo-random generators with their reference properties.
#include "../check.h"
#include <stdint.h>

static uint32_t mt[624];
static int mt_index = 624;
static void mt_seed(uint32_t s)
{
    mt[0] = s;
    for (uint32_t i = 1; i < 624; i++)
        mt[i] = 1812433253u * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
    mt_index = 624;
}
static uint32_t mt_next(void)
{
    if (mt_index == 624) {
        for (int i = 0; i < 624; i++) {
            uint32_t y = (mt[i] & 0x80000000u) | (mt[(i + 1) % 624] & 0x7fffffffu);
            mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        mt_index = 0;
    }
    uint32_t y = mt[mt_index++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}
static uint64_t xoshiro[4] = {1, 2, 3, 4};
static uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }
static uint64_t xoshiro_next(void)
{
    uint64_t r = rotl(xoshiro[1] * 5, 7) * 9, t = xoshiro[1] << 17;
    xoshiro[2] ^= xoshiro[0];
    xoshiro[3] ^= xoshiro[1];
    xoshiro[1] ^= xoshiro[2];
    xoshiro[0] ^= xoshiro[3];
    xoshiro[2] ^= t;
    xoshiro[3] = rotl(xoshiro[3], 45);
    return r;
}
typedef struct { uint64_t state, increment; } pcg;
static uint32_t pcg_next(pcg *g)
{
    uint64_t old = g->state;
    g->state = old * 6364136223846793005ull + g->increment;
    uint32_t x = (uint32_t)((old >> 18 ^ old) >> 27), r = (uint32_t)(old >> 59);
    return x >> r | x << (-r & 31);
}
static int32_t park_miller(int32_t *s)
{
    int32_t hi = *s / 127773, lo = *s % 127773, t = 16807 * lo - 2836 * hi;
    return *s = t > 0 ? t : t + 2147483647;
}

int main(void)
{
    mt_seed(5489);
    for (int i = 1; i < 10000; i++)
        mt_next();
    CHECK(mt_next() == 4123659995u); // the published ten-thousandth value
    int32_t s = 1;
    for (int i = 0; i < 10000; i++)
        park_miller(&s);
    CHECK(s == 1043618065);
    CHECK(xoshiro_next() == 11520);
    for (int i = 0; i < 3; i++)
        printf("%016llx\n", (unsigned long long)xoshiro_next());
    pcg g = {42, 109};
    double mean = 0;
    int buckets[8] = {0};
    for (int i = 0; i < 4000; i++) {
        uint32_t v = pcg_next(&g);
        buckets[v >> 29]++;
        mean += v / 4294967296.0;
    }
    for (int i = 0; i < 8; i++)
        CHECK(buckets[i] > 400 && buckets[i] < 600);
    printf("%.9f\n", mean / 4000);
    return check_done();
}
