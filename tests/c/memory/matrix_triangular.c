// Packed symmetric and banded storage with index macros.
#include "../check.h"
#include <stdlib.h>

#define PACKED(i, j) ((i) >= (j) ? (i) * ((i) + 1) / 2 + (j) : (j) * ((j) + 1) / 2 + (i))
#define BAND(i, j) band[(i) * 3 + (j) - (i) + 1]

static void packed_times(const double *a, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += a[PACKED(i, j)] * x[j];
    }
}

int main(void)
{
    int n = 6;
    double *a = malloc((size_t)(n * (n + 1) / 2) * sizeof *a), x[6], y[6], z[6] = {0};
    if (!a)
        return 9;
    double full[6][6];
    for (int i = 0; i < n; i++) {
        x[i] = 1.0 / (1 << i);
        for (int j = 0; j <= i; j++)
            a[PACKED(i, j)] = full[i][j] = full[j][i] = i * 2 - j;
    }
    packed_times(a, x, y, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            z[i] += full[i][j] * x[j];
        CHECK(y[i] == z[i]);
        printf("%.17g ", y[i]);
    }
    printf("\n");
    double band[18];
    for (int i = 0; i < n; i++)
        for (int j = i - 1; j <= i + 1; j++)
            BAND(i, j) = j < 0 || j >= n ? 0 : i == j ? 4 : -1;
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = i > 0 ? i - 1 : 0; j < n && j <= i + 1; j++)
            s += BAND(i, j) * x[i] * x[j];
    printf("%.17g\n", s);
    free(a);
    return check_done();
}
