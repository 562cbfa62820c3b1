/* copies of shadows that are one memory, of different lengths: the sums must not meet; and threads that read parts that they only know when they run */
#include "../../check.h"
static double both(const double *a, const double *b, int m, int k)
{
    double s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < 40; i++) {
        double p = 0, q = 0;
        for (int j = 0; j < m; j++) p += a[j] * sin(i + j);
        for (int j = 0; j < k; j++) q += b[j] * cos(i * j);
        s += p * q;
    }
    return s;
}
static double overlapping(double *x, int n) { return both(x, x, n, n - 3) + both(x + 2, x + 1, n - 2, n - 1) + both(x, x + 5, 5, n - 5); }
static double banded(double *x, int n)
{
    enum { ROWS = 30 };
    int start[ROWS + 1], column[ROWS * 5];
    double y[ROWS], z[ROWS], s = 0;
    start[0] = 0;
    for (int i = 0; i < ROWS; i++) {
        int k = start[i];
        if (i % 7 != 3)
            for (int d = -2; d <= 2; d++)
                if (i + d >= 0 && i + d < ROWS) column[k++] = i + d;
        start[i + 1] = k;
    }
    for (int i = 0; i < ROWS; i++) y[i] = x[i % n] * (1 + 0.1 * i);
    for (int t = 0; t < 2; t++) {
        #pragma omp parallel for
        for (int i = 0; i < ROWS; i++) {
            double row = 0.1;
            for (int k = start[i]; k < start[i + 1]; k++) row += y[column[k]] * x[k % n];
            z[i] = row / (1 + row * row);
        }
        #pragma omp parallel for
        for (int i = 0; i < ROWS; i++) y[i] = z[i];
    }
    for (int i = 0; i < ROWS; i++) s += y[i] * (i % 3);
    return s;
}
GRADIENT(overlapping)
GRADIENT(banded)
int main(void) { return CHECK(overlapping, 12) | CHECK(banded, 7); }
