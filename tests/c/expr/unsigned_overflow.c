// Unsigned arithmetic wraps at every width.
#include "../check.h"
#include <stdint.h>

static uint32_t fnv1a(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 16777619u;
    return h;
}

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

int main(void)
{
    uint8_t a = 250;
    a += 10;
    CHECK(a == 4);
    a -= 5;
    CHECK(a == 255);
    uint16_t b = 40000;
    b = (uint16_t)(b * 2u);
    CHECK(b == 14464);
    uint32_t c = 0;
    c--;
    CHECK(c == UINT32_MAX);
    c *= c;
    CHECK(c == 1);
    uint64_t d = UINT64_MAX;
    CHECK(d + 2 == 1 && d * d == 1 && -d == 1);
    CHECK(0u - 5 > 5u);
    CHECK(5u - 10u == 4294967291u && (int)(5u - 10u) == -5);
    printf("%08x %08x\n", fnv1a("hello"), fnv1a("adjoint"));
    uint64_t s = 42;
    for (int i = 0; i < 4; i++)
        printf("%016llx\n", (unsigned long long)splitmix(&s));
    uint32_t lcg = 1;
    for (int i = 0; i < 1000; i++)
        lcg = lcg * 1664525u + 1013904223u;
    printf("%u\n", lcg);
    return check_done();
}
