// Loops that end with their bound: `i <= n`, with signed and unsigned counters, other steps, triangles, and bounds that only a `break` keeps from being reached.
#include "check.h"
#include <limits.h>

double __enzyme_autodiff(void *, ...);

enum { N = 24 };

static double smoothed(double *x, double *y, int n)
{
    double s = 0;
    for (int t = 1; t <= 3; t++) {
        for (int i = 1; i <= n - 2; i++)
            y[i] = x[i] + 0.2 * (x[i - 1] - 2 * x[i] + x[i + 1]) * x[i];
        for (int i = 1; i <= n - 2; i++)
            x[i] = y[i];
    }
    for (int i = 0; i <= n - 1; ++i)
        s += x[i] * x[i];
    return s;
}
static double unsigned_bounds(double *x, double *y, int n)
{
    unsigned last = (unsigned)n - 1;
    double s = 0;
    for (unsigned i = 1; i <= last; i++)
        y[i] = x[i] * x[i - 1];
    for (size_t i = 0; i <= last; i += 3)
        s += y[i] * y[i] * x[i];
    return s;
}
static double triangle(double *x, double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j <= i; j++)
            sum += x[j] * y[i - j];
        s += sum * sum;
    }
    return s;
}
/* None, if the bound is below the start. */
static double empty(double *x, double *y, int n)
{
    double s = x[0];
    for (int i = 5; i <= n - 25; i++)
        s += x[i] * y[i];
    for (int i = n; i <= n; i++)
        s *= x[i - 1] * y[1];
    return s;
}
static double left_early(double *x, double *y, int n)
{
    double s = 0, a = x[0];
    for (int i = 0; i <= INT_MAX; i++) {
        if (i >= n)
            break;
        s += x[i] * y[i];
    }
    int most = n > 3 ? INT_MAX : n;
    for (int i = 0; i <= most; i++) {
        a = 0.5 * (a + (1 + x[1] * x[1]) / a);
        if (fabs(a * a - 1 - x[1] * x[1]) < 1e-13 || i > 60)
            break;
    }
    unsigned long end = n > 3 ? ULONG_MAX : 0;
    for (unsigned long i = 0; i <= end; i++) {
        if (i >= (unsigned long)n)
            return s * a;
        s += y[i] * y[i];
    }
    return 0;
}
/* A sum to which a product and something else are added in each iteration. */
static double mixed_sums(double *x, double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n - 1; j++) {
            double low = x[i] > x[j] ? x[i] : x[j], high = x[i] + y[i] < x[j] + y[j] ? x[i] + y[i] : x[j] + y[j];
            double inside = high > low ? high - low : 0;
            s += inside / (3 + y[i] * y[j] - inside);
        }
    return s;
}

typedef double function(double *, double *, int);
static double x[2 * N], x_bar[2 * N], given[2 * N];
static function *now;

static double value(void)
{
    memcpy(given, x, sizeof given);
    return now(given, given + N, N);
}

#define TRY(f)                                                                                                     \
    do {                                                                                                           \
        now = f;                                                                                                   \
        memcpy(given, x, sizeof given);                                                                            \
        memset(x_bar, 0, sizeof x_bar);                                                                            \
        __enzyme_autodiff((void *)f, enzyme_dup, given, x_bar, enzyme_dup, given + N, x_bar + N, enzyme_const, N); \
        failures += check_gradient(#f, value, x, x_bar, 2 * N);                                                    \
    } while (0)

int main(void)
{
    int failures = 0;
    check_fill(x, 2 * N, 0.2, 0.9);
    TRY(smoothed);
    TRY(unsigned_bounds);
    TRY(triangle);
    TRY(empty);
    TRY(left_early);
    TRY(mixed_sums);
    return failures != 0;
}
