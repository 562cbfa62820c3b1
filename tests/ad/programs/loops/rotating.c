// Buffers that take turns by a number: a remainder, a mask, a bit that is turned round. Those of an iteration are apart, and come round again later; numbers that wrap are not what they look like.
#include "check.h"

double __enzyme_autodiff(void *, ...);

enum { N = 20, T = 7 };

static double sum_of(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s;
}
static void step(const double *now, double *next, int n)
{
    for (int i = 1; i < n - 1; i++)
        next[i] = now[i] + 0.3 * now[i] * (now[i - 1] - now[i + 1]);
    next[0] = now[1];
    next[n - 1] = now[n - 2];
}
static double remainders(double *x)
{
    double (*u)[N] = (double (*)[N])x;
    for (int t = 1; t <= T; t++) {
        int now = t % 3, old = (t + 2) % 3, next = (t + 1) % 3;
        for (int i = 1; i < N - 1; i++)
            u[next][i] = 2 * u[now][i] - u[old][i] * u[old][i] + 0.1 * u[now][i] * (u[now][i + 1] + u[now][i - 1] - 2 * u[now][i]);
        u[next][0] = u[now][1];
        u[next][N - 1] = u[now][N - 2];
    }
    return sum_of(x, 3 * N);
}
static double masks(double *x)
{
    for (unsigned t = 0; t < T; t++)
        for (int i = 1; i < N - 1; i++)
            x[((t + 1) & 1) * N + i] = x[(t & 1) * N + i] + 0.3 * x[(t & 1) * N + i] * x[(t & 1) * N + i - 1] + 0.1 * x[(t & 1) * N + i + 1];
    return sum_of(x, 2 * N);
}
static double turned(double *x)
{
    double (*u)[N] = (double (*)[N])x;
    int now = 0;
    for (int t = 0; t < T; t++) {
        step(u[now], u[!now], N);
        now = !now;
    }
    return sum_of(u[now], N);
}
static double exclusive(double *x)
{
    int now = 1;
    for (int t = 0; t < T; t++, now ^= 1)
        step(x + now * N, x + (now ^ 1) * N, N);
    return sum_of(x, 2 * N);
}
static double subtracted(double *x)
{
    int now = 0;
    for (int t = 0; t < T; t++) {
        step(x + now * N, x + (1 - now) * N, N);
        now = 1 - now;
    }
    return sum_of(x, 2 * N);
}
/* In the first iteration `t - 1` is the largest number, whose remainder is that of `t`: both places are one. */
static double wrapping(double *x)
{
    for (unsigned t = 0; t < T; t++) {
        unsigned a = (t - 1) % 3, b = t % 3;
        for (int i = 1; i < N - 1; i++)
            x[a * N + i] = x[b * N + i - 1] * x[b * N + i + 1] + 0.5 * x[a * N + i];
    }
    return sum_of(x, 3 * N);
}
/* The same, where the number is made unsigned, and larger, on its way. */
static double wrapping_wide(double *x)
{
    for (int t = 0; t < T; t++) {
        long a = (long)((unsigned)t - 1) % 3, b = (long)((unsigned)(t - 1) % 3u), c = t % 3;
        for (int i = 1; i < N - 1; i++)
            x[a * N + i] = x[b * N + i - 1] * x[c * N + i + 1] + 0.5 * x[a * N + i];
    }
    return sum_of(x, 3 * N);
}
/* Below zero, remainders are, too. */
static double negative(double *x)
{
    double *middle = x + 2 * N;
    for (int t = -4; t < 4; t++)
        for (int i = 1; i < N - 1; i++)
            middle[t % 2 * N + i] = middle[(t + 1) % 2 * N + i - 1] * middle[(t + 3) % 2 * N + i + 1] + 0.25 * middle[t % 2 * N + i];
    return sum_of(x, 4 * N);
}
/* Not a bit: two and its opposite are apart as well, three and one are not the same distance. */
static double not_a_bit(double *x)
{
    int now = 2;
    for (int t = 0; t < T; t++) {
        step(x + now * N, x + !now * N, N);
        now = now == 2 ? 1 : !now;
    }
    return sum_of(x, 3 * N);
}

typedef double function(double *);
static double x[4 * N], x_bar[4 * N], given[4 * N];
static function *now;

static double value(void)
{
    memcpy(given, x, sizeof given);
    return now(given);
}

#define TRY(f)                                                    \
    do {                                                          \
        now = f;                                                  \
        memcpy(given, x, sizeof given);                           \
        memset(x_bar, 0, sizeof x_bar);                           \
        __enzyme_autodiff((void *)f, enzyme_dup, given, x_bar);   \
        failures += check_gradient(#f, value, x, x_bar, 4 * N);   \
    } while (0)

int main(void)
{
    int failures = 0;
    check_fill(x, 4 * N, -0.7, 0.7);
    TRY(remainders);
    TRY(masks);
    TRY(turned);
    TRY(exclusive);
    TRY(subtracted);
    TRY(wrapping);
    TRY(wrapping_wide);
    TRY(negative);
    TRY(not_a_bit);
    return failures != 0;
}
