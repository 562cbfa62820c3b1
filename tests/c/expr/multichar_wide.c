// Wide, UTF-16/32 and UTF-8 string and character literals.
#include "../check.h"
#include <uchar.h>
#include <wchar.h>

static size_t length32(const char32_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int main(void)
{
    const wchar_t *w = L"wide \u03c0 text";
    CHECK(wcslen(w) == 11 && w[5] == 0x3c0);
    char16_t h[] = u"h\u00e9\U0001F600";
    CHECK(sizeof h == 2 * 5 && h[2] == 0xd83d && h[3] == 0xde00);
    const char32_t *s = U"a\U0001F600z";
    CHECK(length32(s) == 3 && s[1] == 0x1f600);
    const char *u = u8"\u20ac";
    CHECK((unsigned char)u[0] == 0xe2 && (unsigned char)u[1] == 0x82 && (unsigned char)u[2] == 0xac);
    wchar_t buffer[8] = L"abc";
    CHECK(buffer[3] == 0 && buffer[7] == 0);
    buffer[1] += 1;
    CHECK(wcscmp(buffer, L"acc") == 0);
    CHECK(sizeof L"ab" "cd" == 5 * sizeof(wchar_t));
    unsigned sum = 0;
    for (const wchar_t *p = w; *p; ++p)
        sum = sum * 31 + (unsigned)*p;
    printf("%u %x\n", sum, (unsigned)h[1]);
    return check_done();
}
