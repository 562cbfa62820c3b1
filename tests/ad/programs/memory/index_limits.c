// Rows of one array that are told apart only because all indices from memory are below their length: the derivative tests that when it starts. With indices that reach into the next
// row, or behind it, and with none at all, the gradient must be right, too.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { STEPS = 3, N = 7, PER_ROW = 3 };

static double chain(const int *starts, const int *columns, const double *values, double *work, int n)
{
    double sum = 0.0;
    for (int c = 0; c < STEPS; c++) {
        const double *from = work + (size_t)c * (size_t)n;
        double *to = work + (size_t)(c + 1) * (size_t)n;
        for (int i = 0; i < n; i++) {
            double row = 0.1;
            for (int k = starts[i]; k < starts[i + 1]; k++)
                row += values[k] * from[columns[k]];
            to[i] = row / (1 + row * row);
        }
    }
    for (int i = 0; i < n; i++)
        sum += work[(size_t)STEPS * (size_t)n + (size_t)i] * (i + 1);
    return sum;
}

static int starts[N + 1], columns[N * PER_ROW];
static double values[N * PER_ROW], values_bar[N * PER_ROW], start[2 * N], work[(STEPS + 3) * N], work_bar[(STEPS + 3) * N];

static double run(int n)
{
    for (int i = 0; i < (STEPS + 3) * N; i++)
        work[i] = i < 2 * N ? start[i] : 0.05 * i;
    return chain(starts, columns, values, work, n);
}

static int check(const char *what, int n)
{
    run(n);
    for (int i = 0; i < (STEPS + 3) * N; i++)
        work[i] = i < 2 * N ? start[i] : 0.05 * i;
    memset(values_bar, 0, sizeof values_bar);
    memset(work_bar, 0, sizeof work_bar);
    __enzyme_autodiff((void *)chain, enzyme_const, starts, enzyme_const, columns, enzyme_dup, values, values_bar, enzyme_dup, work, work_bar, enzyme_const, n);
    for (int k = 0; k < N * PER_ROW + 2 * N; k++) {
        double *x = k < N * PER_ROW ? &values[k] : &start[k - N * PER_ROW], bar = k < N * PER_ROW ? values_bar[k] : work_bar[k - N * PER_ROW];
        double old = *x, h = 1e-6;
        *x = old + h;
        double more = run(n);
        *x = old - h;
        double less = run(n);
        *x = old;
        double expected = (more - less) / (2 * h);
        if (fabs(bar - expected) > 1e-7 * (1 + fabs(expected))) {
            printf("%s: %d is %.12g, not %.12g\n", what, k, bar, expected);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    int failures = 0;
    for (int k = 0; k < N * PER_ROW; k++)
        values[k] = 0.2 + 0.1 * (k % 5);
    for (int i = 0; i < 2 * N; i++)
        start[i] = 0.5 - 0.07 * i;
    for (int i = 0; i <= N; i++)
        starts[i] = PER_ROW * i;
    for (int k = 0; k < N * PER_ROW; k++)
        columns[k] = (k * 5) % N;
    failures += check("below n", N);
    columns[4] = N;
    failures += check("the next row", N);
    columns[4] = 3;
    columns[20] = N + 3;
    failures += check("far in the next row", N);
    columns[20] = N - 1;
    failures += check("the last", N);
    /* Rows that do not follow each other: empty ones, the same numbers twice, and some that nobody reads, whose columns mean nothing. */
    static const int jumps[N + 1] = {4, 6, 6, 2, 9, 8, 12, 11};
    memcpy(starts, jumps, sizeof jumps);
    columns[0] = columns[13] = 1000;
    failures += check("jumps", N);
    columns[3] = N + 1;
    failures += check("jumps to the next row", N);
    for (int i = 0; i <= N; i++)
        starts[i] = 0;
    failures += check("none", N);
    failures += check("nothing", 0);
    return failures != 0;
}
