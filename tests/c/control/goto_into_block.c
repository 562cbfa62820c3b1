// Jumps into blocks, branches and loop bodies (no initialisers crossed in use).
#include "../check.h"

static int into_if(int x)
{
    int r = 0;
    if (x == 1)
        goto inside;
    if (x == 2) {
        r += 10;
inside:
        r += 100;
    } else {
        r += 1000;
    }
    return r;
}

static int into_loop(int start)
{
    int i = 0, count = 0;
    if (start > 0) {
        i = start;
        goto body;
    }
    while (i < 10) {
        count += 1;
body:
        count += 100;
        i++;
    }
    return count;
}

static int into_for(int mid)
{
    int i = 5, s = 0;
    if (mid)
        goto middle;
    for (i = 0; i < 8; i++) {
        s += 1;
middle:
        s += 10;
    }
    return s;
}

static int into_block(int c)
{
    int r = 1;
    if (c)
        goto label;
    {
        int local;
        r = 2;
label:
        local = r * 5;
        r += local;
    }
    return r;
}

int main(void)
{
    printf("%d %d %d\n", into_if(1), into_if(2), into_if(3));
    printf("%d %d\n", into_loop(0), into_loop(7));
    printf("%d %d\n", into_for(0), into_for(1));
    CHECK(into_if(1) == 100 && into_if(2) == 110 && into_if(3) == 1000);
    CHECK(into_loop(0) == 1010 && into_loop(7) == 302);
    CHECK(into_for(0) == 88 && into_for(1) == 32);
    CHECK(into_block(1) == 6 && into_block(0) == 12);
    return check_done();
}
