// Plain, signed and unsigned characters in arithmetic and comparison.
#include "../check.h"
#include <limits.h>
#include <string.h>

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33u ^ (unsigned char)*s++;
    return h;
}

int main(void)
{
    char c = (char)0xe9;
    signed char sc = (signed char)0xe9;
    unsigned char uc = 0xe9;
    CHECK(sc == -23);
    CHECK(uc == 233);
    CHECK((unsigned char)c == uc);
    CHECK((signed char)c == sc);
    CHECK('\xff' == (char)255);
    CHECK(sizeof 'a' == sizeof(int));
    CHECK('z' - 'a' == 25);
    CHECK(CHAR_BIT == 8 && SCHAR_MIN == -128 && UCHAR_MAX == 255);
    char text[] = "caf\xc3\xa9";
    CHECK(strlen(text) == 5);
    int sum = 0;
    for (char *p = text; *p; p++)
        sum += (unsigned char)*p;
    printf("%d %u\n", sum, hash(text));
    char digit = '7';
    int value = digit - '0';
    digit += 2;
    CHECK(value == 7 && digit == '9');
    unsigned char wrap = 255;
    wrap++;
    CHECK(wrap == 0);
    wrap--;
    CHECK(wrap == 255);
    char upper = 'q' & ~0x20;
    CHECK(upper == 'Q');
    printf("%c%c%d\n", upper, c ? 'y' : 'n', sc);
    return check_done();
}
