// Two buffers swapped by pointer in a time loop.
#include "../check.h"
#include <stdlib.h>

static double heat(int n, int steps)
{
    double *now = calloc((size_t)n, sizeof *now), *next = calloc((size_t)n, sizeof *next);
    if (!now || !next)
        exit(9);
    now[n / 2] = 100;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        next[0] = next[1];
        next[n - 1] = next[n - 2];
        double *swap = now;
        now = next;
        next = swap;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += now[i] * (i + 1);
    free(now);
    free(next);
    return s;
}

static int buffers[2][16];
static int alternate(int steps)
{
    int which = 0;
    for (int i = 0; i < 16; i++)
        buffers[0][i] = i;
    for (int t = 0; t < steps; t++, which ^= 1)
        for (int i = 0; i < 16; i++)
            buffers[!which][i] = buffers[which][(i + 1) % 16] + (i == t % 16);
    int s = 0;
    for (int i = 0; i < 16; i++)
        s = s * 3 % 10007 + buffers[which][i];
    return s;
}

static double three_levels(int steps)
{
    double a[20], b[20], c[20];
    double *old = a, *mid = b, *new = c;
    for (int i = 0; i < 20; i++)
        old[i] = mid[i] = i > 5 && i < 10;
    for (int i = 0; i < 20; i++)
        new[i] = 0;
    while (steps--) {
        for (int i = 1; i < 19; i++)
            new[i] = 2 * mid[i] - old[i] + 0.25 * (mid[i + 1] - 2 * mid[i] + mid[i - 1]);
        double *t = old;
        old = mid, mid = new, new = t;
    }
    return mid[7] + 10 * mid[12];
}

int main(void)
{
    printf("%.15g %.15g\n", heat(21, 50), heat(21, 51));
    printf("%d %d\n", alternate(5), alternate(6));
    printf("%.15g\n", three_levels(12));
    CHECK_NEAR(heat(21, 5), 1100, 1e-9);
    return check_done();
}
