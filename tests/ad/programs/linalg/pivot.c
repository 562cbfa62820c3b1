// Loops over a row that run over the pivot's own place, which all iterations read and one of them writes: shortest paths, elimination without a copy of the factor. The iteration of the pivot stands by
// itself in the derivative; what comes before it reads the old number, what comes behind it the new one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 14 };

static double sum(const double *p, int n)
{
    double s = 0.0;
    for (int i = 0; i < n * n; i++)
        s += p[i] * p[i] * (1 + i % 5);
    return s;
}

static double paths(const double *w, int n)
{
    double p[N][N];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p[i][j] = w[i * n + j];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
    double s = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += p[i][j] * p[i][j];
    return s;
}

static double smooth(const double *w, int n)
{
    double *p = malloc((n * n + 1) * sizeof *p);
    memcpy(p, w, n * n * sizeof *p);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i * n + j] = 0.5 * (p[i * n + j] + sin(p[i * n + k] + 0.3 * p[k * n + j]));
    double s = sum(p, n);
    free(p);
    return s;
}

/* The factor changes in the middle of the row, and a sum is carried along. */
static double eliminated(const double *w, int n)
{
    double *p = malloc((n * n + 1) * sizeof *p), s = 0.0;
    memcpy(p, w, n * n * sizeof *p);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (i != k) {
                double row = 0.0;
                for (int j = 0; j < n; j++) {
                    p[i * n + j] -= 0.1 * p[i * n + k] * p[k * n + j] / (3 + p[k * n + k]);
                    row += p[i * n + j];
                }
                s += row * row;
            }
    s += sum(p, n);
    free(p);
    return s;
}

/* The column's pivot, and unsigned numbers. */
static double columns(const double *w, int size)
{
    size_t n = (size_t)size;
    double *p = malloc((n * n + 1) * sizeof *p);
    memcpy(p, w, n * n * sizeof *p);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                p[i * n + j] += 0.1 * sin(p[k * n + j]) * p[i * n + k];
    double s = sum(p, size);
    free(p);
    return s;
}

static double w[N * N], dw[N * N], e[N * N];

#define CHECK(f)                                                                                  \
    for (int n = 0; n <= N; n += n < 4 ? 1 : 5) {                                                 \
        memset(dw, 0, sizeof dw);                                                                 \
        __enzyme_autodiff((void *)f, enzyme_dup, w, dw, enzyme_const, n);                         \
        for (int k = 0; k < n * n; k++) {                                                         \
            e[k] = 1.0;                                                                           \
            double forward = __enzyme_fwddiff((void *)f, enzyme_dup, w, e, enzyme_const, n);      \
            e[k] = 0.0;                                                                           \
            if (!(fabs(forward - dw[k]) <= 1e-10 * (1 + fabs(forward)))) {                        \
                printf("%s(%d)[%d]: %.17g, not %.17g\n", #f, n, k, dw[k], forward);               \
                failures++;                                                                       \
            }                                                                                     \
        }                                                                                         \
    }

int main(void)
{
    int failures = 0;
    for (int i = 0; i < N * N; i++)
        w[i] = 1.5 + 1.3 * sin(3.7 * i);
    CHECK(paths)
    CHECK(smooth)
    CHECK(eliminated)
    CHECK(columns)
    return failures != 0;
}
