// Fall-through, shared labels, default in the middle.
#include "../check.h"

static int fall(int x)
{
    int r = 0;
    switch (x) {
    case 1:
        r += 1; /* fall through */
    case 2:
        r += 10; /* fall through */
    default:
        r += 100; /* fall through */
    case 3:
        r += 1000;
        break;
    case 4:
    case 5:
    case 6:
        r = -1;
    }
    return r;
}

static int days(int month, int leap)
{
    switch (month) {
    case 4: case 6: case 9: case 11:
        return 30;
    case 2:
        if (leap)
            return 29;
        return 28;
    default:
        return 31;
    }
}

static int no_default(int x)
{
    int r = 7;
    switch (x) {
    case 0: r = 0; break;
    case 100: r = 1; break;
    case -100: r = 2; break;
    }
    return r;
}

int main(void)
{
    for (int x = 0; x < 8; x++)
        printf("%d:%d ", x, fall(x));
    printf("\n");
    CHECK(fall(1) == 1111 && fall(2) == 1110 && fall(3) == 1000 && fall(9) == 1100);
    int total = 0;
    for (int m = 1; m <= 12; m++)
        total += days(m, 1);
    CHECK(total == 366);
    CHECK(no_default(-100) == 2 && no_default(3) == 7 && no_default(0) == 0);
    switch (total) {
    }
    switch (total)
    case 366: total++;
    CHECK(total == 367);
    return check_done();
}
