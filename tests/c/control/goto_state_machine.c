// A recogniser for numbers written as labels and gotos.
#include "../check.h"

static int is_number(const char *s)
{
    char c;
    c = *s++;
    if (c == '+' || c == '-')
        c = *s++;
    if (c == '.')
        goto dot_first;
    if (c < '0' || c > '9')
        goto fail;
integer:
    c = *s++;
    if (c >= '0' && c <= '9')
        goto integer;
    if (c == '.')
        goto fraction;
    if (c == 'e')
        goto exponent;
    goto finish;
dot_first:
    c = *s++;
    if (c < '0' || c > '9')
        goto fail;
fraction:
    c = *s++;
    if (c >= '0' && c <= '9')
        goto fraction;
    if (c == 'e')
        goto exponent;
    goto finish;
exponent:
    c = *s++;
    if (c == '-' || c == '+')
        c = *s++;
    if (c < '0' || c > '9')
        goto fail;
digits:
    c = *s++;
    if (c >= '0' && c <= '9')
        goto digits;
finish:
    return c == '\0';
fail:
    return 0;
}

int main(void)
{
    const char *good[] = {"0", "12", "-3.5", "+.5", "1e10", "2.e-3", "7.25e+1"};
    const char *bad[] = {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "12a", "+-1"};
    for (int i = 0; i < 7; i++)
        CHECK(is_number(good[i]));
    for (int i = 0; i < 9; i++)
        CHECK(!is_number(bad[i]));
    printf("%d %d\n", is_number("3.14159"), is_number("3,14"));
    return check_done();
}
