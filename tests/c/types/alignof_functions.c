// flags: -Wno-pedantic
// The alignment of a function is what its attribute asks for.
#include "../check.h"

static void aligned(void) __attribute__((aligned(256)));

static void aligned(void)
{
}

int main(void)
{
    aligned();
    CHECK(__alignof__(aligned) == 256);
    return check_done();
}
