// Eliminations, whose threads have the rows below (or around) a pivot and share its row, and triangles of pairs in chunks of any size.
#include "../../check.h"
#include <omp.h>

static int side(int count)
{
    int n = 1;
    while ((n + 1) * (n + 1) <= count)
        n++;
    return n;
}

/* Rows below the pivot. */
static double below(double *m, int count)
{
    int n = side(count);
    double a[64], s = 0.0;
    memcpy(a, m, (size_t)(n * n) * sizeof *a);
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] / (a[k * n + k] + 3.0);
            a[i * n + k] = f;
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
    for (int i = 0; i < n * n; i++)
        s += a[i] * a[i] * (i % 5 + 1);
    return s;
}

/* All rows but the pivot's, backwards, in chunks. */
static double around(double *m, int count)
{
    int n = side(count);
    double a[64], s = 0.0;
    memcpy(a, m, (size_t)(n * n) * sizeof *a);
    for (int k = n - 1; k >= 0; k--) {
#pragma omp parallel for schedule(static, 2)
        for (int i = 0; i < n; i++) {
            if (i == k)
                continue;
            double f = a[i * n + k] * 0.1;
            for (int j = 0; j < n; j++)
                a[i * n + j] -= f * sin(a[k * n + j]);
        }
    }
    for (int i = 0; i < n * n; i++)
        s += a[i] * (i % 7);
    return s;
}

/* The rows start where an argument says, which may be below zero: rows of arrays that are counted from one. */
static double shifted(double *m, int count)
{
    int n = side(count);
    double all[64], *a = all + 2 * n, s = 0.0;
    memcpy(all, m, (size_t)(n * n) * sizeof *a);
    for (int k = -2; k < n - 2; k++) {
#pragma omp parallel for schedule(dynamic)
        for (int i = k + 1; i < n - 2; i++) {
            double f = a[i * n + k + 2] * 0.2;
            for (int j = k + 3; j < n; j++)
                a[i * n + j] -= f * a[k * n + j] * a[k * n + j];
        }
    }
    for (int i = 0; i < n * n; i++)
        s += all[i] * all[i];
    return s;
}

/* Cholesky: a column of rows that each thread has, against the row of the pivot. */
static double columns(double *m, int count)
{
    int n = side(count);
    double a[64], s = 0.0;
    memcpy(a, m, (size_t)(n * n) * sizeof *a);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            a[j * n + j] -= 0.01 * a[j * n + k] * a[j * n + k];
        a[j * n + j] = sqrt(2.0 + a[j * n + j] * a[j * n + j]);
#pragma omp parallel for schedule(guided)
        for (int i = j + 1; i < n; i++) {
            double t = a[i * n + j];
            for (int k = 0; k < j; k++)
                t -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = t / a[j * n + j];
        }
    }
    for (int i = 0; i < n * n; i++)
        s += a[i] * (i % 3 + 1);
    return s;
}

/* Pairs, and pairs of rows, in chunks of several kinds. */
static double pairs(double *x, int count)
{
    int n = side(count);
    double s = 0.0;
    int rows = n * n;
#pragma omp parallel for schedule(guided) reduction(+ : s)
    for (int i = 0; i < rows; i++)
        for (int j = i + 1; j < rows; j++)
            s += x[i] * x[j] / (2 + i + j);
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : s)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < i; j++)
            s += sin(x[i] - x[j]) * (i % 3);
#pragma omp parallel for schedule(static, 5) reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < n; k++)
                s += x[i * n + k] * x[j * n + k] * 0.1;
    return s;
}

/* Rows that are allocated one by one. */
static double rows(double *m, int count)
{
    int n = side(count);
    double **a = malloc((size_t)n * sizeof *a), s = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] = malloc((size_t)n * sizeof **a);
        memcpy(a[i], m + i * n, (size_t)n * sizeof **a);
    }
    for (int k = 0; k < n - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / (2.0 + a[k][k] * a[k][k]);
            for (int j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += a[i][j] * a[(i + 1) % n][j];
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    return s;
}

/* An array at file scope whose size is known. */
static double fixed_rows[8][8];
static double fixed(double *m, int count)
{
    int n = side(count);
    double s = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            fixed_rows[i][j] = m[i * n + j];
    for (int k = 0; k < n; k++) {
#pragma omp parallel for shared(fixed_rows, k)
        for (int i = k + 1; i < n; i++) {
            fixed_rows[i][k] /= fixed_rows[k][k] + 3.0;
            for (int j = k + 1; j < n; j++)
                fixed_rows[i][j] -= fixed_rows[i][k] * fixed_rows[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += fixed_rows[i][j] * fixed_rows[i][j];
    return s;
}

/* Each thread solves systems of its own, with arrays of its own, and leaves solutions that are read later. */
static double systems(double *x, int count)
{
    int n = side(count);
    double out[64], s = 0.0;
#pragma omp parallel for
    for (int l = 0; l < n; l++) {
        double c[8], d[8], *y = out + l * n;
        const double *a = x + l * n;
        c[0] = 1.0 / (3 + a[0]);
        d[0] = a[0] * c[0];
        for (int i = 1; i < n; i++) {
            c[i] = 1.0 / (3 + a[i] - c[i - 1]);
            d[i] = (a[i] + d[i - 1]) * c[i];
        }
        y[n - 1] = d[n - 1];
        for (int i = n - 2; i >= 0; i--)
            y[i] = d[i] + c[i] * y[i + 1];
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n * n; i++)
        s += out[i] * out[i] * (i + 1);
    return s;
}

GRADIENT(below)
GRADIENT(around)
GRADIENT(shifted)
GRADIENT(columns)
GRADIENT(pairs)
GRADIENT(systems)
GRADIENT(rows)
GRADIENT(fixed)

int main(void)
{
    int bad = 0;
    for (int n = 1; n < 9; n++) {
        bad |= CHECK(below, n * n);
        bad |= CHECK(around, n * n);
        bad |= CHECK(shifted, n * n);
        bad |= CHECK(columns, n * n);
        bad |= CHECK(pairs, n * n);
        bad |= CHECK(systems, n * n);
        bad |= CHECK(rows, n * n);
        bad |= CHECK(fixed, n * n);
    }
    return bad;
}
