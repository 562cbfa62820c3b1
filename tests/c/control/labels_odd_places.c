// Labels before declarations' blocks, at the end of blocks, unused, repeated per function.
#include "../check.h"

static int g(int x)
{
top:;
    int y = x * 2;
    if (y < 20) {
        x += 3;
        goto top;
    }
    return y;
}

static int end_label(int x)
{
    int r = 0;
    {
        r = 1;
        if (x)
            goto end;
        r = 2;
end:;
    }
    return r;
}

static int stacked(int x)
{
    switch (x) {
one:
    case 1:
also_one:
        return 11;
    case 2:
        goto one;
    case 3:
        goto also_one;
    default:;
    }
    return 0;
}

static int labelled_loop(void)
{
    int n = 0;
    int pass = 0;
restart:
    for (int i = 0; i < 5; i++) {
        n++;
        if (pass < 2 && i == pass + 1) {
            pass++;
            goto restart;
        }
    }
    return n;
}

int main(void)
{
    CHECK(g(1) == 20 && g(0) == 24 && g(50) == 100);
    CHECK(end_label(1) == 1 && end_label(0) == 2);
    CHECK(stacked(1) == 11 && stacked(2) == 11 && stacked(3) == 11 && stacked(4) == 0);
    CHECK(labelled_loop() == 2 + 3 + 5);
    goto skip;
skip:
    printf("%d\n", labelled_loop());
    {
        __label__ local; // a GNU local label may repeat a name
        int n = 0;
local:
        if (++n < 4)
            goto local;
        CHECK(n == 4);
unused: __attribute__((unused));
    }
    return check_done();
}
