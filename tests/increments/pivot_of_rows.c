// grad: solved
// Rows that are allocated one by one: those below the pivot are each thread's own, the pivot's is everybody's.
// no: recorded
// how: a[i][k]: plain: each thread reads its own rows
#include <stdlib.h>

double solved(int n, const double *m)
{
    double **a = malloc((size_t)n * sizeof *a), sum = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] = malloc((size_t)n * sizeof **a);
        for (int j = 0; j < n; j++)
            a[i][j] = m[i * n + j];
    }
    for (int k = 0; k < n - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        sum += a[i][i] * a[i][i];
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    return sum;
}
