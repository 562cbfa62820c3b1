// A compound literal lives as long as the block around it, also if that block is a loop made by goto.
#include "../check.h"

struct pair {
    long first, second;
};

static int same_object(void)
{
    struct pair *now = 0, *before;
    int count = 0;
again:
    before = now;
    now = &(struct pair){.second = count++};
    if (count < 3)
        goto again;
    return now == before && now->first == 0 && now->second == 2;
}

static int array(void)
{
    int *now = 0, *before, count = 0, sum = 0;
again:
    before = now;
    now = (int[]){count, count + 1, count + 2};
    if (before)
        sum += before == now;
    sum += now[2];
    if (++count < 4)
        goto again;
    return sum;
}

int main(void)
{
    CHECK(same_object());
    CHECK(array() == 2 + 3 + 4 + 5 + 3);
    printf("%d\n", array());
    return check_done();
}
