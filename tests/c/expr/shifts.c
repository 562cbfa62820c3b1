// Shifts: widths, signed right shift, shift amounts of other types.
#include "../check.h"
#include <stdint.h>

static uint32_t rotl32(uint32_t x, unsigned n) { return (x << (n & 31)) | (x >> (-n & 31)); }
static uint64_t rotr64(uint64_t x, int n) { return (x >> n) | (x << (64 - n)); }

int main(void)
{
    int neg = -17;
    CHECK(neg >> 1 == -9);
    CHECK(neg >> 31 == -1);
    CHECK((unsigned)neg >> 28 == 15u);
    unsigned char c = 0x81;
    CHECK(c << 1 == 0x102);
    CHECK((unsigned char)(c << 1) == 2);
    CHECK(1u << 31 == 2147483648u);
    CHECK(1ull << 63 == 9223372036854775808ull);
    long long amount = 40;
    CHECK((1LL << amount) == 1099511627776LL);
    short s = 3;
    s <<= 4;
    CHECK(s == 48);
    s >>= (char)2;
    CHECK(s == 12);
    signed char sc = -128;
    sc >>= 3;
    CHECK(sc == -16);
    uint8_t u8 = 0xff;
    u8 <<= 4;
    CHECK(u8 == 0xf0);
    for (int k = 1; k < 32; k += 5)
        printf("%08x %016llx\n", (unsigned)rotl32(0x80000001u, (unsigned)k),
               (unsigned long long)rotr64(0x0123456789abcdefull, k));
    CHECK(rotl32(0x12345678u, 0) == 0x12345678u);
    CHECK(sizeof(u8 << 40u % 8) == sizeof(int));
    return check_done();
}
