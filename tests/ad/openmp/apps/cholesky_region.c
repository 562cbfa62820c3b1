// Cholesky in one region: a column by one thread, the update shared among all.
#include "../../check.h"
#define M 8
static double f(double *x, int n)
{
    double a[M][M], s = 0;
    (void)n;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = exp(-0.3 * (x[i] - x[j]) * (x[i] - x[j])) * x[M] + (i == j ? 0.5 : 0);
#pragma omp parallel shared(a)
    for (int k = 0; k < M; k++) {
#pragma omp single
        a[k][k] = sqrt(a[k][k]);
#pragma omp for
        for (int i = k + 1; i < M; i++)
            a[i][k] /= a[k][k];
#pragma omp for schedule(dynamic)
        for (int j = k + 1; j < M; j++)
            for (int i = j; i < M; i++)
                a[i][j] -= a[i][k] * a[j][k];
    }
    for (int k = 0; k < M; k++)
        s += 2 * log(a[k][k]);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, M + 1); }
