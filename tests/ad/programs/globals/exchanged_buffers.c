/* Two buffers at file scope, exchanged by the pointers that lead to them. */
#include "check.h"

#define N 64
static double buf0[N], buf1[N];
static double *cur = buf0, *next = buf1;
static void step(int n)
{
    for (int i = 0; i < n; i++) {
        double l = cur[i > 0 ? i - 1 : n - 1], r = cur[i < n - 1 ? i + 1 : 0];
        next[i] = cur[i] + 0.1 * (l - 2 * cur[i] + r) + 0.05 * sin(cur[i]);
    }
    double *t = cur;
    cur = next;
    next = t;
}
double f(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        cur[i] = x[i];
    for (int k = 0; k < 7; k++)
        step(n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += cur[i] * cur[i] * (i + 1);
    return s;
}
int main(void)
{
    for (int n = 3; n < 40; n += 11)
        CHECK(f, n);
    return failures != 0;
}
