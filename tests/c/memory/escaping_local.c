// A local whose address leaves the block that fills it: its storage must last as long as its own block does.
#include "../check.h"
#include <string.h>

struct entry {
    int n;
    const struct entry *next;
    const int *extra;
};

static int walk(const struct entry *list, int k)
{
    struct entry own;
    int estimate[2];
    const struct entry *probe;
    if (k & 1) {
        probe = list;
    } else {
        memset(&own, 0, sizeof own);
        own.n = k;
        own.extra = estimate;
        estimate[0] = k * 3;
        estimate[1] = k;
        own.next = list;
        probe = &own;
    }
    int sum = 0;
    for (; probe; probe = probe->next) {
        int other[40];
        for (int i = 0; i < 40; i++)
            other[i] = i * k;
        sum += probe->n + other[k] + (probe->extra ? probe->extra[0] + probe->extra[1] : 0);
    }
    return sum;
}

static double *choose(double *fallback, int k, double store[2])
{
    double *p = fallback, local;
    for (int i = 0; i < 3; i++) {
        if (i == k) {
            local = i + 0.5;
            p = &local;
        }
    }
    store[0] = *p;
    return p == fallback ? fallback : NULL;
}

int main(void)
{
    struct entry a = {5, NULL, NULL};
    double d = 9, store[2];
    CHECK(walk(&a, 2) == 2 + 4 + 6 + 2 + 5 + 4);
    CHECK(walk(&a, 3) == 5 + 9);
    CHECK(choose(&d, 7, store) == &d && store[0] == 9);
    CHECK(choose(&d, 1, store) == NULL && store[0] == 1.5);
    return check_done();
}
