/* Products with triangles in place: what is read has not been overwritten yet, but will be. Copies hold what the loops read, from the first row that is read on. */
#include "check.h"

enum { M = 6, N = 5 };
void __enzyme_autodiff(void *, ...);

static double upper(int m, int n, const double *a, const double *start, double *b)
{
    double sum = 0.0;
    for (int i = 0; i < m * n; i++)
        b[i] = start[i];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
                b[i * n + j] += a[k * m + i] * b[k * n + j];
            b[i * n + j] = 0.7 * b[i * n + j] * b[i * n + j];
        }
    for (int i = 0; i < m * n; i++)
        sum += b[i] * b[i];
    return sum;
}

/* From below, where what is read depends on the counter at its other end. */
static double lower(int m, int n, const double *a, const double *start, double *b)
{
    double sum = 0.0;
    for (int i = 0; i < m * n; i++)
        b[i] = start[i];
    for (int i = m - 1; i >= 0; i--)
        for (int j = 0; j < n; j++) {
            double s = b[i * n + j];
            for (int k = 0; k < i; k++)
                s += a[i * m + k] * b[k * n + j];
            b[i * n + j] = s * s;
        }
    for (int i = 0; i < m * n; i++)
        sum += b[i];
    return sum;
}

/* The elements themselves depend on both counters. */
static double both(int m, int n, const double *a, const double *start, double *b)
{
    double sum = 0.0;
    for (int i = 0; i < m * n; i++)
        b[i] = start[i];
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i && j < n; j++)
                sum += a[i] * b[i * n + j] * b[i * n + j];
        for (int i = 0; i < m; i++)
            for (int j = n - 1; j > i; j--)
                sum += a[j] * b[i * n + j] * b[i * n + j];
        for (int i = 0; i < m * n; i++)
            b[i] = b[i] * (0.5 + 0.1 * sum / (1 + sum * sum));
    }
    return sum;
}

static double a[M * M], a_bar[M * M], start[M * N], start_bar[M * N], b[M * N], b_bar[M * N];
static int m, n;
static double of_upper(void) { return upper(m, n, a, start, b); }
static double of_lower(void) { return lower(m, n, a, start, b); }
static double of_both(void) { return both(m, n, a, start, b); }

#define CHECK(f)                                                                                                                                               \
    memset(a_bar, 0, sizeof a_bar), memset(start_bar, 0, sizeof start_bar), memset(b_bar, 0, sizeof b_bar);                                                    \
    __enzyme_autodiff((void *)f, enzyme_const, m, enzyme_const, n, enzyme_dup, a, a_bar, enzyme_dup, start, start_bar, enzyme_dup, b, b_bar);                  \
    failures += check_gradient(#f " by a", of_##f, a, a_bar, M * M);                                                                                           \
    failures += check_gradient(#f " by start", of_##f, start, start_bar, M * N)

int main(void)
{
    int failures = 0;
    for (m = 0; m <= M; m += m < 2 ? 1 : 4)
        for (n = 0; n <= N; n += n < 1 ? 1 : 4) {
            check_fill(a, M * M, 0.1, 0.5);
            check_fill(start, M * N, 0.2, 0.8);
            CHECK(upper);
            CHECK(lower);
            CHECK(both);
        }
    return failures != 0;
}
