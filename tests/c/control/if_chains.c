// if/else chains, dangling else, empty branches.
#include "../check.h"

static const char *grade(int score)
{
    if (score >= 90)
        return "A";
    else if (score >= 80)
        return "B";
    else if (score >= 70) {
        return "C";
    } else if (score < 0)
        ;
    else
        return "F";
    return "invalid";
}

static int dangling(int a, int b)
{
    int r = 0;
    if (a) {
        if (b)
            r = 1;
        else
            r = 2;
    }
    return r;
}

static int nested(int x, int y, int z)
{
    int r;
    if (x > 0) {
        if (y > 0) {
            if (z > 0)
                r = 1;
            else
                r = 2;
            r += 10;
        } else if (z > 0)
            r = 3;
        else
            r = 4;
        r += 100;
    } else {
        r = 5;
        if (y > 0 && z > 0)
            r = 6;
    }
    return r;
}

int main(void)
{
    for (int s = -10; s <= 100; s += 11)
        printf("%d %s\n", s, grade(s));
    CHECK(dangling(1, 0) == 2 && dangling(0, 1) == 0 && dangling(1, 1) == 1);
    for (int m = 0; m < 8; m++)
        printf("%d ", nested(m & 1, m >> 1 & 1, m >> 2 & 1));
    printf("\n");
    CHECK(nested(1, 1, 1) == 111 && nested(0, 1, 1) == 6);
    if (0) {
        printf("never\n");
    } else {
    }
    return check_done();
}
