// Loops that start where another counter stands, as in factorisations: their mirrors count as they do. Ranges may be empty, start below zero, and be of other types than their bounds.
#include "check.h"

void __enzyme_autodiff(void *, ...);

/* Without pivoting: the matrix has a heavy diagonal. */
static double eliminated(double *a, double *b, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
        sum += b[i] * b[i];
    }
    return sum;
}

/* The same row as source and as target where `same` says so: then the order matters. */
static double rows(double *a, const int *same, int n)
{
    double sum = 0.0;
    for (int k = 0; k + 1 < n; k++) {
        int other = same[k] ? k : k + 1;
        double factor = 0.5 * a[other * n + k];
        for (int j = k; j < n; j++)
            a[k * n + j] += factor * a[other * n + (n - 1 - j)] * a[other * n + j];
    }
    for (int i = 0; i < n * n; i++)
        sum += a[i] * a[i] * (1 + i % 3);
    return sum;
}

/* Around a middle; sometimes nothing at all. Counters of one type, and of another. */
#define WINDOWS(name, counter)                                                                 \
    static double name(const double *middle, double *out, int from, int to, long wide, int n) \
    {                                                                                          \
        double sum = 0.0;                                                                      \
        for (counter i = from; i < to; i++)                                                    \
            for (long j = i - wide; j < i + 1; j++)                                            \
                if (j > -n && j < n)                                                           \
                    out[i + n] += middle[j] * middle[i] * 0.25;                                \
        for (short s = -3; s < to; s++)                                                        \
            sum += out[s + n] * middle[s] * middle[s];                                         \
        for (counter i = from; i < to; i++)                                                    \
            for (counter j = i; j < to - i; j++) {                                             \
                out[j + n] *= 0.9;                                                             \
                sum += middle[i] * out[j + n];                                                 \
            }                                                                                  \
        return sum;                                                                            \
    }
WINDOWS(windows, int)
WINDOWS(wide_windows, long)

enum { N = 24 };
static double x[N * N], x_bar[N * N], b[2 * N], b_bar[2 * N], copy[N * N], right[2 * N];
static int same[N], from, to;
static long wide;
static double eliminated_value(void)
{
    memcpy(copy, x, sizeof copy);
    memcpy(right, b, sizeof right);
    return eliminated(copy, right, N);
}
static double rows_value(void)
{
    memcpy(copy, x, sizeof copy);
    return rows(copy, same, N);
}
static double windows_value(void)
{
    memcpy(right, b, sizeof right);
    return windows(x + N, right, from, to, wide, N);
}
static double wide_windows_value(void)
{
    memcpy(right, b, sizeof right);
    return wide_windows(x + N, right, from, to, wide, N);
}

int main(void)
{
    int failures = 0;
    check_fill(x, N * N, -1, 1);
    check_fill(b, 2 * N, -1, 1);
    for (int i = 0; i < N; i++)
        x[i * N + i] += N;
    memcpy(copy, x, sizeof copy);
    memcpy(right, b, sizeof right);
    memset(x_bar, 0, sizeof x_bar);
    memset(b_bar, 0, sizeof b_bar);
    __enzyme_autodiff((void *)eliminated, enzyme_dup, copy, x_bar, enzyme_dup, right, b_bar, enzyme_const, N);
    failures += check_gradient("eliminated, matrix", eliminated_value, x, x_bar, N * N);
    failures += check_gradient("eliminated, right side", eliminated_value, b, b_bar, N);

    check_fill(x, N * N, -0.5, 0.5);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < N; k++)
            same[k] = round == 2 ? k % 3 == 0 : round;
        memcpy(copy, x, sizeof copy);
        memset(x_bar, 0, sizeof x_bar);
        __enzyme_autodiff((void *)rows, enzyme_dup, copy, x_bar, enzyme_const, same, enzyme_const, N);
        failures += check_gradient("rows", rows_value, x, x_bar, N * N);
    }

    int ranges[5][3] = {{-8, 12, 3}, {0, 20, 0}, {5, 5, 4}, {9, -4, 2}, {-2, 3, -2}};
    for (int k = 0; k < 5; k++) {
        from = ranges[k][0], to = ranges[k][1], wide = ranges[k][2];
        memcpy(right, b, sizeof right);
        memset(x_bar, 0, sizeof x_bar);
        memset(b_bar, 0, sizeof b_bar);
        __enzyme_autodiff((void *)windows, enzyme_dup, x + N, x_bar + N, enzyme_dup, right, b_bar, enzyme_const, from, enzyme_const, to, enzyme_const, wide, enzyme_const, N);
        failures += check_gradient("windows, middle", windows_value, x, x_bar, 2 * N);
        failures += check_gradient("windows, out", windows_value, b, b_bar, 2 * N);
        memcpy(right, b, sizeof right);
        memset(x_bar, 0, sizeof x_bar);
        memset(b_bar, 0, sizeof b_bar);
        __enzyme_autodiff((void *)wide_windows, enzyme_dup, x + N, x_bar + N, enzyme_dup, right, b_bar, enzyme_const, from, enzyme_const, to, enzyme_const, wide, enzyme_const, N);
        failures += check_gradient("wide windows, middle", wide_windows_value, x, x_bar, 2 * N);
        failures += check_gradient("wide windows, out", wide_windows_value, b, b_bar, 2 * N);
    }
    return failures != 0;
}
