// refuses: guarded
// interp: skip setjmp
// Non-local exits with setjmp and longjmp.
#include "../check.h"
#include <setjmp.h>

static jmp_buf handler;
static int depth;

static int risky(int n)
{
    depth++;
    if (n == 0)
        longjmp(handler, 5);
    return n > 100 ? 0 : risky(n - 1) + 1;
}

static int guarded(int n)
{
    volatile int attempts = 0;
    int code = setjmp(handler);
    attempts++;
    if (code == 0)
        return n < 0 ? -1 : risky(n);
    return code * 10 + attempts;
}

int main(void)
{
    CHECK(guarded(3) == 52);
    CHECK(guarded(-1) == -1);
    CHECK(depth == 4);
    printf("%d\n", guarded(1));
    return check_done();
}
