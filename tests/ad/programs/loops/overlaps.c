// What loops in lanes must not assume: one shadow for two arrays, arrays that overlap, in-place recurrences, other strides, indices from memory, NaN and infinities.
#include "check.h"

void __enzyme_autodiff(void *, ...);

static double pairs(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n - 1; i++)
        sum += a[i] * b[i + 1] * b[i + 1] + a[i + 1];
    return sum;
}

static double shifted(double *a, double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n - 2; i++)
        b[i + 1] = 0.5 * a[i] * a[i] + 0.25 * a[i + 2];
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double in_place(double *x, int n)
{
    double sum = 0.0;
    for (int i = 1; i < n; i++)
        x[i] = 0.7 * x[i - 1] * x[i];
    for (int i = n - 2; i >= 0; i--)
        x[i] += 0.3 * x[i + 1];
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static double strided(const double *x, double *y, const int *index, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        y[n - 1 - i] = x[2 * i] * x[2 * i + 1] + x[index[i]];
    for (long i = n - 1; i >= 0; i--)
        sum += y[i] * y[n - 1 - i];
    return sum;
}

static double x[400], x_bar[400], y[400], y_bar[400], work[400];
static int n = 150, at[400];
static double pairs_value(void) { return pairs(x, x, n); }
static double shifted_value(void)
{
    memcpy(work, x, sizeof work);
    return shifted(work, work + 1, n);
}
static double in_place_value(void)
{
    memcpy(work, x, sizeof work);
    return in_place(work, n);
}
static double strided_value(void) { return strided(x, y, at, n); }

int main(void)
{
    int failures = 0;
    check_fill(x, 400, -1, 1);
    /* Both gradients go to one place. */
    __enzyme_autodiff((void *)pairs, enzyme_dup, x, x_bar, enzyme_dup, x, x_bar, enzyme_const, n);
    failures += check_gradient("one shadow", pairs_value, x, x_bar, n);

    memset(x_bar, 0, sizeof x_bar);
    memcpy(work, x, sizeof work);
    __enzyme_autodiff((void *)shifted, enzyme_dup, work, x_bar, enzyme_dup, work + 1, x_bar + 1, enzyme_const, n);
    failures += check_gradient("overlapping", shifted_value, x, x_bar, n + 1);

    memset(x_bar, 0, sizeof x_bar);
    for (int i = 0; i < n; i++)
        x_bar[i] = 0.0;
    memcpy(work, x, sizeof work);
    __enzyme_autodiff((void *)in_place, enzyme_dup, work, x_bar, enzyme_const, n);
    failures += check_gradient("in place", in_place_value, x, x_bar, n);

    memset(x_bar, 0, sizeof x_bar);
    for (int i = 0; i < n; i++)
        at[i] = i * 7 % 11;
    __enzyme_autodiff((void *)strided, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, at, enzyme_const, n);
    failures += check_gradient("strided", strided_value, x, x_bar, 2 * n);

    /* What is not a number stays where it belongs, if there may be such. */
#ifndef __FAST_MATH__
    memset(x_bar, 0, sizeof x_bar);
    memset(y_bar, 0, sizeof y_bar);
    check_fill(y, 400, -1, 1);
    y[20] = NAN;
    y[60] = INFINITY;
    __enzyme_autodiff((void *)pairs, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
    for (int i = 0; i < n; i++) {
        int odd = i == 19 || i == 59, odd_b = i == 20 || i == 60;
        if (isfinite(x_bar[i]) == odd || isfinite(y_bar[i]) == odd_b) {
            printf("element %d: %g %g\n", i, x_bar[i], y_bar[i]);
            failures++;
        }
    }
#endif
    return failures != 0;
}
