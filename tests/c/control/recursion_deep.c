// Recursion a few thousand levels deep, with locals live across calls.
#include "../check.h"

static long depth_sum(int n)
{
    long here = n * 2L;
    if (n == 0)
        return 0;
    long below = depth_sum(n - 1);
    return below + here - n;
}

static int permutations(int *v, int k, int n)
{
    if (k == n) {
        int inversions = 0;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                inversions += v[i] > v[j];
        return inversions;
    }
    int total = 0;
    for (int i = k; i < n; i++) {
        int t = v[k]; v[k] = v[i]; v[i] = t;
        total += permutations(v, k + 1, n);
        t = v[k]; v[k] = v[i]; v[i] = t;
    }
    return total;
}

static int queens(int n, int row, unsigned columns, unsigned left, unsigned right)
{
    if (row == n)
        return 1;
    int count = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

int main(void)
{
    CHECK(depth_sum(3000) == 4501500);
    int v[6] = {0, 1, 2, 3, 4, 5};
    int total = permutations(v, 0, 6);
    CHECK(total == 720 * 15 / 2);
    int q = queens(7, 0, 0, 0, 0);
    CHECK(q == 40);
    printf("%ld %d %d\n", depth_sum(100), total, q);
    return check_done();
}
