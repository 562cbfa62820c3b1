// Filters that stay inside by a function of the index: the taps are written out although a function was called for each, and the iterations at the borders are loops of their own.
#include "check.h"

double __enzyme_autodiff(void *, ...);

enum { N = 40, R = 3 };

static int clamped(int i, int low, int high)
{
    return i < low ? low : i > high ? high : i;
}
static int kept_inside(int i, int n)
{
    if (i < 0)
        return 0;
    if (i >= n)
        return n - 1;
    return i;
}
static int mirrored(int i, int n)
{
    if (i < 0)
        i = -i;
    if (i >= n)
        i = 2 * n - 2 - i;
    return i;
}
static double squares(const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double with_clamp(double *x, double *w, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = -R; k <= R; k++)
            s += w[k + R] * x[clamped(i + k, 0, n - 1)];
        y[i] = s * s;
    }
    return squares(y, n);
}
static double with_returns(double *x, double *w, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = -4; k <= 4; k++)
            s += w[k + 4] * x[kept_inside(i + k, n)] * x[i];
        y[i] = s;
    }
    return squares(y, n);
}
static double with_mirror(double *x, double *w, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < 2 * R; k++)
            y[i] += w[k] * x[mirrored(i + k - R, n)];
    }
    return squares(y, n) * x[0];
}
static double of_known_length(double *x, double *w, double *y, int n)
{
    for (int i = 0; i < N / 2; i++) {
        double s = 0;
        for (int k = -R; k <= R; k++)
            s += w[k + R] * x[clamped(i + k, 0, N / 2 - 1)];
        y[i] = s * x[i];
    }
    return squares(y, N / 2) * n;
}
/* Two ways out of one loop, one of which leaves the one around it, too. */
static double left_early(double *x, double *w, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 5; k++) {
            if (i + k >= n)
                goto done;
            s += w[k] * x[i + k];
        }
        y[i] = s * s;
    }
done:
    return squares(y, n);
}

typedef double function(double *, double *, double *, int);
static double x[3 * N], x_bar[3 * N], given[3 * N];
static function *now;
static int length;

static double value(void)
{
    memcpy(given, x, sizeof given);
    return now(given, given + N, given + 2 * N, length);
}

#define TRY(f)                                                                                                     \
    do {                                                                                                           \
        now = f;                                                                                                   \
        memcpy(given, x, sizeof given);                                                                            \
        memset(x_bar, 0, sizeof x_bar);                                                                            \
        __enzyme_autodiff((void *)f, enzyme_dup, given, x_bar, enzyme_dup, given + N, x_bar + N, enzyme_dup,       \
                          given + 2 * N, x_bar + 2 * N, enzyme_const, length);                                     \
        failures += check_gradient(#f, value, x, x_bar, 3 * N);                                                    \
    } while (0)

int main(void)
{
    int failures = 0, lengths[] = {N, 17, 5, 8};
    check_fill(x, 3 * N, -0.8, 0.8);
    for (int k = 0; k < 4; k++) {
        length = lengths[k];
        TRY(with_clamp);
        TRY(with_returns);
        TRY(with_mirror);
        TRY(of_known_length);
        TRY(left_early);
    }
    return failures != 0;
}
