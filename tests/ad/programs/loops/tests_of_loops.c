/* Loops whose tests are not `index < bound` as written, at sizes where they run often, once, and not at all. */
#include "check.h"

enum { N = 24 };
void __enzyme_autodiff(void *, ...);

/* Pairs: for an unsigned size, `n - 1` would wrap where `i + 1` does not. */
static double pairs(const double *x, double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i + 1 < n; i++)
        y[i] = (x[i + 1] - x[i]) * x[i];
    for (size_t i = 0; i + 3 <= n; i += 3)
        sum += y[i] * y[i + 1];
    for (unsigned i = 2; i + 2 < n; i++)
        sum += x[i - 2] * y[i];
    return sum;
}

/* A window that is cut off at the start: the smaller of two bounds. */
static double windows(const double *x, double *y, int n, int p)
{
    double sum = 0.0;
    for (int t = 0; t < n; t++) {
        double s = x[t];
        for (int i = 0; i < p && i < t; i++)
            s -= 0.3 * y[t - 1 - i] * x[i];
        y[t] = s;
        sum += s * s;
    }
    for (int i = n; i > p && i > 2; i--)
        sum += y[i - 1] * x[i - 3];
    return sum;
}

/* An `int` index and a size in `size_t`. One starts below zero, where it is larger than any size. */
static double mixed(const double *a, double *y, size_t n)
{
    double sum = 0.0;
    for (int i = 0; (size_t)i < n; i++) {
        y[i] = 0.0;
        for (int j = i; (size_t)j < n; j += 2)
            y[i] += a[i] * a[j] * (double)(j - i + 1);
    }
    for (int i = -2; (size_t)i < n; i++)
        sum += a[i];
    for (int i = 1; i - 1 < (long)n; i++)
        sum += y[i - 1] * y[i - 1];
    for (int i = (int)n; i - 1 >= 0; i--) {
        if (i == 7)
            break;
        sum += sin(a[i - 1]);
    }
    return sum;
}

static double x[N], x_bar[N], y[N], y_bar[N];
static int size;
static double of_pairs(void) { return pairs(x, y, (size_t)size); }
static double of_windows(void) { return windows(x, y, size, 4); }
static double of_mixed(void) { return mixed(x, y, (size_t)size); }

int main(void)
{
    int failures = 0;
    for (size = 0; size <= N; size += size < 5 ? 1 : 6) {
        check_fill(x, N, -1.0, 1.0);
        memset(x_bar, 0, sizeof x_bar);
        memset(y_bar, 0, sizeof y_bar);
        memset(y, 0, sizeof y);
        __enzyme_autodiff((void *)pairs, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, (size_t)size);
        failures += check_gradient("pairs", of_pairs, x, x_bar, N);
        memset(x_bar, 0, sizeof x_bar);
        memset(y_bar, 0, sizeof y_bar);
        __enzyme_autodiff((void *)windows, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, size, enzyme_const, 4);
        failures += check_gradient("windows", of_windows, x, x_bar, N);
        memset(x_bar, 0, sizeof x_bar);
        memset(y_bar, 0, sizeof y_bar);
        __enzyme_autodiff((void *)mixed, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, (size_t)size);
        failures += check_gradient("mixed", of_mixed, x, x_bar, N);
    }
    return failures != 0;
}
