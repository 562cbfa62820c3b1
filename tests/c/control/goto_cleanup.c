// Error paths that release resources in reverse order.
#include "../check.h"
#include <stdlib.h>

static int live;
static void *get(size_t n) { live++; return malloc(n); }
static void put(void *p) { live--; free(p); }

static int process(int fail_at, double *result)
{
    int status = -1;
    double *a = NULL, *b = NULL, *c;
    if (fail_at == 0)
        goto out;
    a = get(10 * sizeof *a);
    if (!a || fail_at == 1)
        goto free_a;
    b = get(10 * sizeof *b);
    if (!b || fail_at == 2)
        goto free_b;
    c = get(10 * sizeof *c);
    if (!c || fail_at == 3)
        goto free_c;
    for (int i = 0; i < 10; i++) {
        a[i] = i;
        b[i] = 2 * i;
        c[i] = a[i] * b[i];
        if (fail_at == 4 && i == 5) {
            status = -2;
            goto free_c;
        }
    }
    *result = c[9] + a[3] - b[1];
    status = 0;
free_c:
    put(c);
free_b:
    put(b);
free_a:
    put(a);
out:
    return status;
}

int main(void)
{
    for (int f = 0; f <= 5; f++) {
        double r = -1;
        int s = process(f, &r);
        printf("%d: %d %.17g live %d\n", f, s, r, live);
        CHECK(live == 0);
        CHECK((s == 0) == (f == 5));
    }
    return check_done();
}
