/* Three time levels that rotate, and a ring of pointers to rows. */
#include "check.h"

#define NMAX 24
static double level[3][NMAX];
static double *prev = level[0], *now = level[1], *nxt = level[2];
static int stepno;
static void rotate(void)
{
    double *t = prev;
    prev = now;
    now = nxt;
    nxt = t;
}
static double *hist[4];
static double store[4][NMAX];
double f(const double *x, int n)
{
    for (int i = 0; i < 4; i++)
        hist[i] = store[i];
    memcpy(prev, x, n * sizeof *x);
    for (int i = 0; i < n; i++)
        now[i] = x[i] * .9;
    double s = 0;
    for (stepno = 0; stepno < 5; stepno++) {
        for (int i = 0; i < n; i++) {
            double lap = now[(i + 1) % n] - 2 * now[i] + now[(i + n - 1) % n];
            nxt[i] = 2 * now[i] - prev[i] + .1 * lap - .01 * now[i] * now[i];
        }
        rotate();
        double *o = hist[stepno % 4];
        for (int i = 0; i < n; i++)
            o[i] = now[i];
    }
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < n; i++)
            s += hist[k][i] * (k + 1) * (i + 1) * now[i];
    return s;
}
int main(void)
{
    CHECK(f, 3);
    CHECK(f, 12);
    CHECK(f, 5);
    return failures != 0;
}
