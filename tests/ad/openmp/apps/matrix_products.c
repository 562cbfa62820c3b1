// Three ways to multiply matrices in parallel.
#include "../../check.h"
#define M 6
#define TILE 2
static void naive(double a[M][M], double b[M][M], double c[M][M])
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            c[i][j] = 0;
            for (int k = 0; k < M; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}
static void tiled(const double *a, const double *b, double *c)
{
    memset(c, 0, M * M * sizeof *c);
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int ii = 0; ii < M; ii += TILE)
        for (int jj = 0; jj < M; jj += TILE)
            for (int kk = 0; kk < M; kk += TILE)
                for (int i = ii; i < ii + TILE; i++)
                    for (int k = kk; k < kk + TILE; k++)
                        for (int j = jj; j < jj + TILE; j++)
                            c[i * M + j] += a[i * M + k] * b[k * M + j];
}
static void by_columns_of_a(const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < M * M; i++)
            c[i] = 0;
#pragma omp for
        for (int i = 0; i < M; i++)
            for (int k = 0; k < M; k++) {
                const double factor = a[i * M + k];
#pragma omp simd
                for (int j = 0; j < M; j++)
                    c[i * M + j] += factor * b[k * M + j];
            }
    }
}
static double f(double *x, int n)
{
    double a[M][M], b[M][M], c[M][M], s = 0;
    (void)n;
    memcpy(a, x, sizeof a);
    for (int i = 0; i < M * M; i++)
        (&b[0][0])[i] = sin((&a[0][0])[i]);
    naive(a, b, c);
    tiled(&c[0][0], &a[0][0], &b[0][0]);
    by_columns_of_a(&b[0][0], &c[0][0], &a[0][0]);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            s += a[i][j] * (1 + i - 0.3 * j) * 1e-3;
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, M * M); }
