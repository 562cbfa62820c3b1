// Hand-written versions of the string functions, pointer by pointer.
#include "../check.h"
#include <stddef.h>

static size_t length(const char *s) { const char *p = s; while (*p) p++; return (size_t)(p - s); }
static char *copy(char *to, const char *from) { char *r = to; while ((*to++ = *from++)) ; return r; }
static int compare(const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++)
        ;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
static char *reverse(char *s)
{
    for (char *a = s, *b = s + length(s); a < --b; a++) {
        char t = *a;
        *a = *b;
        *b = t;
    }
    return s;
}
static char *to_text(int v, char *buffer, int base)
{
    char *p = buffer;
    unsigned u = v < 0 ? 0u - (unsigned)v : (unsigned)v;
    do
        *p++ = "0123456789abcdefghijklmnopqrstuvwxyz"[u % (unsigned)base];
    while (u /= (unsigned)base);
    if (v < 0)
        *p++ = '-';
    *p = 0;
    return reverse(buffer);
}
static int to_int(const char *s)
{
    int sign = 1, v = 0;
    while (*s == ' ')
        s++;
    if (*s == '-' || *s == '+')
        sign = *s++ == '-' ? -1 : 1;
    while (*s >= '0' && *s <= '9')
        v = v * 10 - (*s++ - '0'); // negative accumulation reaches INT_MIN
    return sign < 0 ? v : -v;
}
static int matches(const char *pattern, const char *s)
{
    if (!*pattern)
        return !*s;
    if (*pattern == '*')
        return matches(pattern + 1, s) || (*s && matches(pattern, s + 1));
    return *s && (*pattern == '?' || *pattern == *s) && matches(pattern + 1, s + 1);
}
static void caesar(char *s, int k)
{
    for (; *s; ++s)
        if (*s >= 'a' && *s <= 'z')
            *s = (char)('a' + (*s - 'a' + k + 26) % 26);
}

int main(void)
{
    char buffer[40];
    CHECK(length(copy(buffer, "palindrome")) == 10 && compare(buffer, "palindrome") == 0);
    puts(reverse(buffer));
    CHECK(compare("abc", "abd") < 0 && compare("b", "abc") > 0 && compare("ab", "abc") < 0);
    printf("%s ", to_text(-2147483647 - 1, buffer, 10));
    printf("%s ", to_text(255, buffer, 16));
    printf("%s\n", to_text(0, buffer, 2));
    CHECK(to_int("-2147483648") == -2147483647 - 1 && to_int("  +77x") == 77);
    CHECK(matches("a*b?d", "axxbcd") && !matches("a*b?d", "axxbd") && matches("*", ""));
    caesar(copy(buffer, "hello xyz"), 3);
    puts(buffer);
    caesar(buffer, -3);
    CHECK(compare(buffer, "hello xyz") == 0);
    return check_done();
}
