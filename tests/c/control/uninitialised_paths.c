// Variables assigned on only some paths, but read only when assigned.
#include "../check.h"

static int pick(int mode, int x)
{
    int r;
    int have = 0;
    if (mode == 1) {
        r = x * 2;
        have = 1;
    } else if (mode == 2) {
        r = x + 100;
        have = 1;
    } else
        r = -1;
    return have ? r : -have - 1;
}

static int last_even(const int *v, int n)
{
    int found = 0, value = 0;
    for (int i = 0; i < n; i++) {
        int candidate;
        if (v[i] % 2 == 0) {
            candidate = v[i];
            found = 1;
        } else
            continue;
        value = candidate;
    }
    return found ? value : -1;
}

static double window(int n)
{
    double previous, total = 0;
    for (int i = 0; i < n; i++) {
        double now = i * 0.5;
        if (i > 0)
            total += now * previous;
        previous = now;
    }
    return total;
}

int main(void)
{
    CHECK(pick(1, 4) == 8 && pick(2, 4) == 104 && pick(0, 4) == -1);
    int v[] = {1, 4, 7, 6, 9};
    CHECK(last_even(v, 5) == 6 && last_even(v, 1) == -1);
    int declared_late;
    declared_late = 5;
    {
        int inner = declared_late;
        declared_late = inner + 1;
    }
    CHECK(declared_late == 6);
    printf("%.17g\n", window(6));
    return check_done();
}
