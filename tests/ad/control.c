// Control flow: loops of every kind, early exits, switches, goto.
#include "check.h"

static double branches(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 1.0)
            s += x[i] * x[i];
        else if (i % 2)
            s -= sin(x[i]);
        else
            s = s * x[i] + 1;
    }
    return s > 2 ? s * s : s + 1;
}
GRADIENT(branches)

static double while_loop(double *x, int n)
{
    double s = 5;
    int i = 0;
    while (s > 0.5) {
        s = s * 0.8 - 0.01 * x[i % n] * s;
        i++;
    }
    do {
        s += x[i % n] * x[(i + 1) % n];
    } while (++i % 7);
    return s;
}
GRADIENT(while_loop)

static double exits(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            if (x[i] * x[j] > 1.2 && i > 2)
                goto out;
            if (s > 30)
                break;
            s += x[i] * x[j] / (1 + s * s);
        }
        if (s > 25)
            return s * x[0];
    }
out:
    return s * s;
}
GRADIENT(exits)

static double cases(double *x, int n)
{
    double s = 0.5;
    for (int i = 0; i < n; i++)
        switch (i % 5) {
        case 0:
            s += x[i] * x[i];
            /* fall through */
        case 1:
            s *= x[i];
            break;
        case 2:
            s -= sin(x[i]);
            continue;
        case 3:
            if (s > 3)
                break;
            s = exp(-s * x[i]);
            /* fall through */
        default:
            s += x[i];
        }
    return s;
}
GRADIENT(cases)

static double duff(double *x, int n)
{
    double s = 1.0;
    int i = 0, k = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            s = s * x[i] + 0.5;
            i++;
    case 3:
            s = s * x[i] + x[i] * x[i];
            i++;
    case 2:
            s = s - x[i] * s;
            i++;
    case 1:
            s = s + x[i] * 0.25;
            i++;
        } while (--k > 0);
    }
    return s;
}
GRADIENT(duff)

static double goto_loop(double *x, int n)
{
    int i = 0;
    double s = 1;
again:
    s = s * x[i] + cos(s);
    if (++i < n)
        goto again;
    return s;
}
GRADIENT(goto_loop)

static double downwards(double *x, int n)
{
    double s = 1;
    for (unsigned i = n; i > 0; i--)
        s = s * x[i - 1] + 0.1;
    for (int i = n - 1; i >= 0; i -= 2)
        s += x[i] * s;
    for (int i = 0; i != n; i++)
        for (int j = i; j <= n - 1; j++)
            s += x[i] * x[j] * 0.1;
    return s;
}
GRADIENT(downwards)

int main(void)
{
    int bad = 0;
    for (int n = 5; n < 12; n++)
        bad |= CHECK(branches, n) | CHECK(while_loop, n) | CHECK(exits, n) | CHECK(cases, n) | CHECK(duff, n) | CHECK(goto_loop, n) |
               CHECK(downwards, n);
    return bad;
}
