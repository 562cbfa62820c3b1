// Packed structs and bit-fields that straddle bytes.
#include "../check.h"
#include <stdint.h>
#include <string.h>

struct __attribute__((packed)) header {
    uint8_t version : 4, length : 4;
    uint16_t id;
    uint32_t offset : 13, flags : 3, ttl : 16;
    uint64_t stamp;
};
struct rgb565 { uint16_t b : 5, g : 6, r : 5; };

static uint16_t pack(int r, int g, int b)
{
    struct rgb565 p = {.r = (unsigned)r >> 3 & 31, .g = (unsigned)g >> 2 & 63, .b = (unsigned)b >> 3 & 31};
    uint16_t v;
    memcpy(&v, &p, sizeof v);
    return v;
}

int main(void)
{
    CHECK(sizeof(struct header) == 15);
    struct header h = {4, 5, 0x1234, 0x1abc, 5, 64, 0x0102030405060708ull};
    unsigned char raw[sizeof h];
    memcpy(raw, &h, sizeof h);
    for (size_t i = 0; i < sizeof raw; i++)
        printf("%02x", raw[i]);
    printf("\n");
    struct header back;
    memcpy(&back, raw, sizeof back);
    CHECK(back.version == 4 && back.length == 5 && back.id == 0x1234);
    CHECK(back.offset == 0x1abc && back.flags == 5 && back.ttl == 64);
    CHECK(back.stamp == 0x0102030405060708ull);
    back.offset += 0x1000;
    CHECK(back.offset == 0x0abc && back.flags == 5);
    back.flags = 2;
    back.ttl--;
    CHECK(back.offset == 0x0abc && back.ttl == 63);
    CHECK(pack(255, 255, 255) == 0xffff && pack(255, 0, 0) == 0xf800 && pack(0, 255, 0) == 0x07e0);
    struct header many[2] = {h, back};
    CHECK((char *)&many[1] - (char *)&many[0] == 15 && many[1].ttl == 63);
    return check_done();
}
