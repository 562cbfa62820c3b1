// Casts between arithmetic types, pointers and integers.
#include "../check.h"
#include <stdint.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    double d = -2.75;
    CHECK((int)d == -2 && (long long)d == -2 && (float)d == -2.75f);
    CHECK((int)(char)0x181 == -127 || (int)(char)0x181 == 129);
    CHECK((unsigned)(unsigned char)-1 == 255u);
    CHECK((int)(unsigned short)-1 == 65535);
    CHECK((long)(int)0xffffffffu == -1L);
    CHECK((unsigned long)(unsigned)-1 == 0xffffffffUL);
    CHECK((double)(float)0.1 != 0.1);
    CHECK((int)(1e9 + 0.5) == 1000000000);
    int x = 7;
    uintptr_t address = (uintptr_t)&x;
    CHECK(*(int *)address == 7);
    void *v = &x;
    *(int *)v += 3;
    CHECK(x == 10);
    unsigned char *bytes = (unsigned char *)&x;
    CHECK(bytes[0] == 10 && bytes[3] == 0);
    int values[2] = {3, 9};
    CHECK(compare(values, values + 1) < 0);
    (void)d;
    float f = 1.0f;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    CHECK(bits == 0x3f800000u);
    const int c = 4;
    CHECK(*(int *)(void *)&c == 4);
    CHECK((char)('a' + 1) == 'b');
    CHECK((_Bool)(void *)0 == 0);
    CHECK((intptr_t)(char *)16 == 16);
    int (*fp)(const void *, const void *) = compare;
    CHECK((fp != (int (*)(const void *, const void *))0));
    printf("%d %u %.9g\n", (int)d, (unsigned)(uint8_t)(int)d, (double)(float)1e-10);
    return check_done();
}
