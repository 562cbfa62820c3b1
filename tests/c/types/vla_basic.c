// Variable-length arrays: locals, in loops, sizeof, lifetimes.
#include "../check.h"
#include <string.h>

static int triangle(int n)
{
    int row[n];
    memset(row, 0, sizeof row);
    row[0] = 1;
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0; j--)
            row[j] += row[j - 1];
    int best = 0;
    for (int j = 0; j < n; j++)
        best = row[j] > best ? row[j] : best;
    return best;
}

static double smooth(const double *x, int n)
{
    double tmp[n + 2];
    tmp[0] = x[0];
    tmp[n + 1] = x[n - 1];
    for (int i = 0; i < n; i++)
        tmp[i + 1] = x[i];
    double s = 0;
    for (int i = 1; i <= n; i++)
        s += (tmp[i - 1] + 2 * tmp[i] + tmp[i + 1]) * i;
    return s;
}

int main(void)
{
    CHECK(triangle(10) == 126);
    double x[5] = {1, 4, 2, 8, 5};
    printf("%.17g\n", smooth(x, 5));
    size_t total = 0;
    for (int n = 1; n < 20; n += 3) {
        char buffer[n][2];
        total += sizeof buffer;
        for (int i = 0; i < n; i++)
            buffer[i][0] = buffer[i][1] = (char)i;
        if (n % 2 == 0)
            continue;
        total += (size_t)buffer[n - 1][1];
    }
    printf("%zu\n", total);
    int n = 4;
    int fixed_at_declaration[n];
    n = 100;
    CHECK(sizeof fixed_at_declaration == 16);
    int evaluated = 0;
    CHECK(sizeof(int[++evaluated]) == 4 && evaluated == 1);
    int k = 3;
again:;
    int jump[k];
    for (int i = 0; i < k; i++)
        jump[i] = i;
    total += (size_t)jump[k - 1];
    if (--k)
        goto again;
    CHECK(k == 0);
    printf("%zu\n", total);
    return check_done();
}
