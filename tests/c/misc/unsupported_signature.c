// refuses: pair real_part imaginary_part
// flags: -w
// compilers: gcc
// interp: skip complex integers
// A function with a type that Adjoin does not have stays as it is, and so do the functions that call it.
#include "../check.h"

static _Complex int pair(int x)
{
    _Complex int r;
    __real r = x + 1;
    __imag r = x - 1;
    return r;
}

static int real_part(int x)
{
    return __real pair(x);
}

static int imaginary_part(int x)
{
    _Complex int (*f)(int) = pair;
    return __imag f(x);
}

int main(void)
{
    CHECK(real_part(5) == 6);
    CHECK(imaginary_part(5) == 4);
    return check_done();
}
