// Every narrowing and widening conversion between integer types.
#include "../check.h"
#include <stdint.h>

static void show(long long v)
{
    printf("%lld: %d %u %d %u %d %u %lld %llu\n", v, (signed char)v, (unsigned char)v, (short)v,
           (unsigned short)v, (int)v, (unsigned)v, (long long)v, (unsigned long long)v);
}

static int64_t widen_signed(int8_t x) { return x; }
static int64_t widen_unsigned(uint8_t x) { return x; }
static uint64_t sign_extend_then_unsigned(int32_t x) { return (uint64_t)x; }
static uint64_t zero_extend(uint32_t x) { return x; }

int main(void)
{
    long long values[] = {0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536,
                          2147483647LL, 2147483648LL, 4294967295LL, 4294967296LL, -2147483648LL,
                          0x123456789abcdefLL};
    for (unsigned k = 0; k < sizeof values / sizeof values[0]; k++)
        show(values[k]);
    CHECK(widen_signed((int8_t)200) == -56);
    CHECK(widen_unsigned((uint8_t)-56) == 200);
    CHECK(sign_extend_then_unsigned(-2) == 0xfffffffffffffffeULL);
    CHECK(zero_extend((uint32_t)-2) == 0xfffffffeULL);
    uint16_t h = (uint16_t)70000;
    CHECK(h == 4464);
    h -= 5000;
    CHECK(h == 65000);
    int8_t b = (int8_t)h;
    CHECK(b == -24);
    return check_done();
}
