// Side effects separated by sequence points, kept in order.
#include "../check.h"

static int log_values[64], log_count;
static int step(int v) { log_values[log_count++] = v; return v; }
static void store(int *where, int v) { *where = v; step(v * 10); }

int main(void)
{
    int x = 1;
    int y = step(x) + 1; // a full expression at a time
    x = step(y) * 2;
    CHECK(x == 4);
    store(&x, 7);
    y = x + step(5);
    CHECK(y == 12);
    int a[4] = {0};
    int i = 0;
    a[i] = step(1);
    i = i + 1;
    a[i] = step(a[i - 1] + 1);
    CHECK(a[1] == 2);
    int *p = &a[0];
    *p = step(3), p++, *p = step(4);
    CHECK(a[0] == 3 && a[1] == 4 && p == a + 1);
    int g = step(0) || (step(1), x = 9, step(0)) || step(x);
    CHECK(g == 1 && x == 9);
    if (step(2) && step(3))
        step(100);
    for (int k = step(0); step(k) < 2; k = step(k + 1) + 0)
        step(50 + k);
    x = x++ ? x + 1 : 0; // ?: sequences its condition
    CHECK(x == 11);
    x = (x += 2, x * x);
    CHECK(x == 169);
    for (int k = 0; k < log_count; k++)
        printf("%d ", log_values[k]);
    printf("\n");
    return check_done();
}
