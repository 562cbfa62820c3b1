// goto as a loop, as a skip, and out of nested loops.
#include "../check.h"

static int search(int g[4][5], int wanted, int *row, int *column)
{
    int i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 5; j++)
            if (g[i][j] == wanted)
                goto found;
    return 0;
found:
    *row = i;
    *column = j;
    return 1;
}

static int gcd(int a, int b)
{
again:
    if (b == 0)
        return a;
    {
        int t = a % b;
        a = b;
        b = t;
    }
    goto again;
}

static int skip(int x)
{
    int r = 0;
    if (x < 0)
        goto negative;
    if (x > 10)
        goto big;
    r += 1;
    goto end;
big:
    r += 2;
negative:
    r += 4;
end:
    return r;
}

int main(void)
{
    int g[4][5], row = -1, column = -1;
    for (int i = 0; i < 20; i++)
        g[i / 5][i % 5] = i * i % 37;
    CHECK(search(g, 10, &row, &column));
    CHECK(g[row][column] == 10);
    CHECK(!search(g, 99, &row, &column));
    CHECK(gcd(1071, 462) == 21);
    CHECK(skip(5) == 1 && skip(11) == 6 && skip(-1) == 4);
    int i = 0, s = 0;
loop:
    s += i;
    if (++i <= 100)
        goto loop;
    CHECK(s == 5050);
    int outer = 0, inner_total = 0;
next_outer:
    for (int k = outer; k < 10; k++) {
        inner_total += k;
        if (k == outer + 2) {
            outer++;
            if (outer < 6)
                goto next_outer;
            break;
        }
    }
    printf("%d %d %d %d\n", row, column, outer, inner_total);
    return check_done();
}
