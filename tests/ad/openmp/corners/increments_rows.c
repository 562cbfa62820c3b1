// Rows that overlap: halos of a flat array, pointers to rows that are the same row, a row length that is not the distance of rows.
#include "../../check.h"
static double halo(double *x, int n)
{
    int m = 5, rows = n / m - 1;
    double y[64] = {0}, s = 0;
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= m; j++)
            y[i] += x[i * m + j] * (1 + j);
    for (int i = 0; i < rows; i++)
        s += y[i] * y[i];
    return s;
}
static double same_row(double *x, int n)
{
    double *row[40], y[40], s = 0;
    for (int i = 0; i < 40; i++)
        row[i] = i % 3 ? x : x + n / 2;
#pragma omp parallel for
    for (int i = 0; i < 40; i++) {
        y[i] = 0;
        for (int j = 0; j < n / 2; j++)
            y[i] += sin(row[i][j] + 0.1 * i);
    }
    for (int i = 0; i < 40; i++)
        s += y[i] * y[i] * 1e-2;
    return s;
}
static double pitch(const double *a, int rows, int columns, int distance)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 1)
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++)
            sum += a[i * distance + j] * a[i * distance + j];
        s += sqrt(sum);
    }
    return s;
}
static double sliding(double *x, int n) { return pitch(x, n - 4, 4, 1) + pitch(x, n / 4, 4, 4) + pitch(x, 9, 3, 0); }
/* Real rows, of which each iteration writes its own and reads the next one's beginning. */
static double next_row(double *x, int n)
{
    double a[8][6], b[8][6], s = 0;
    for (int k = 0; k < 48; k++)
        (&a[0][0])[k] = x[k % n];
#pragma omp parallel for
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 6; j++)
            b[i][j] = a[i][j] * a[i + 1][5 - j];
    for (int k = 0; k < 42; k++)
        s += (&b[0][0])[k] * (&b[0][0])[k];
    return s;
}
GRADIENT(halo)
GRADIENT(same_row)
GRADIENT(sliding)
GRADIENT(next_row)
int main(void) { return CHECK(halo, 40) | CHECK(same_row, 14) | CHECK(sliding, 24) | CHECK(next_row, 13); }
