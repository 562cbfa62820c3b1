// Loops with two entries.
#include "../check.h"

static int two_entries(int n, int enter_second)
{
    int x = 0;
    if (enter_second)
        goto second;
first:
    x += 1;
    if (n-- <= 0)
        goto end;
second:
    x += 10;
    if (n-- > 0)
        goto first;
end:
    return x;
}

static int three_way(int start, int fuel)
{
    int trace = 0;
    switch (start) {
    case 0: goto a;
    case 1: goto b;
    default: goto c;
    }
a:
    trace = (trace * 3 + 1) % 10007;
    if (fuel-- <= 0)
        return trace;
    if (trace & 1)
        goto c;
b:
    trace = (trace * 5 + 2) % 10007;
    if (fuel-- <= 0)
        return trace;
    if (trace & 2)
        goto a;
c:
    trace = (trace * 7 + 3) % 10007;
    if (fuel-- <= 0)
        return trace;
    if (trace & 4)
        goto b;
    goto a;
}

int main(void)
{
    for (int n = 0; n < 6; n++)
        printf("%d %d\n", two_entries(n, 0), two_entries(n, 1));
    CHECK(two_entries(0, 0) == 1 && two_entries(0, 1) == 10 && two_entries(2, 1) == 21);
    for (int s = 0; s < 3; s++)
        for (int f = 0; f < 50; f += 7)
            printf("%d ", three_way(s, f));
    printf("\n");
    return check_done();
}
