// Pointer addition, difference, comparison, and indexing both ways.
#include "../check.h"
#include <stddef.h>

struct item { int key; double value; };

static double sum_range(const double *first, const double *last)
{
    double s = 0;
    while (first != last)
        s += *first++;
    return s;
}

static int *find(int *begin, int *end, int v)
{
    for (; begin < end; ++begin)
        if (*begin == v)
            break;
    return begin;
}

int main(void)
{
    double d[10];
    for (int i = 0; i < 10; i++)
        *(d + i) = i * 0.5;
    CHECK(sum_range(d, d + 10) == 22.5);
    CHECK(&d[7] - &d[2] == 5);
    CHECK((char *)&d[7] - (char *)&d[2] == 40);
    CHECK(3[d] == d[3] && *(2 + d) == 1.0);
    double *end = &d[10];
    CHECK(end[-1] == 4.5 && *(end - 10) == 0.0);
    CHECK(d < end && end > &d[0] && !(d != &d[0]));
    int a[6] = {4, 8, 15, 16, 23, 42};
    int *hit = find(a, a + 6, 16), *miss = find(a, a + 6, 5);
    CHECK(hit - a == 3 && miss == a + 6);
    struct item items[4] = {{1, .1}, {2, .2}, {3, .3}, {4, .4}};
    struct item *it = items;
    it += 2;
    CHECK(it->key == 3 && (it - 1)->key == 2 && it[1].key == 4);
    it -= 2;
    ptrdiff_t distance = &items[3] - it;
    CHECK(distance == 3);
    unsigned step = 2;
    int *p = a + step * 2;
    p -= step;
    CHECK(*p == 15);
    long negative = -1;
    CHECK(p[negative] == 8);
    int grid[3][4], *flat = &grid[0][0], n = 0;
    for (int (*row)[4] = grid; row < grid + 3; row++)
        for (int *cell = *row; cell < *row + 4; cell++)
            *cell = n++;
    CHECK(grid[2][1] == 9 && flat == grid[0]);
    printf("%td %d\n", distance, grid[1][3]);
    return check_done();
}
