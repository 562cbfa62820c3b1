#include "../../check.h"
enum { N = 4, M = 5, K = 3 };
static double two(double *x, int n)
{
    double a[N][M], s = 0;
    (void)n;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = x[i * M + j] * x[j];
#pragma omp parallel for collapse(2) schedule(dynamic, 3) reduction(+ : s)
    for (int i = 1; i < N; i++)
        for (int j = M - 1; j >= 1; j--)
            s += a[i][j] * a[i - 1][j - 1];
    return s;
}
static double three(double *x, int n)
{
    double s = 0, out[K][N][M];
#pragma omp parallel
    {
#pragma omp for collapse(3) schedule(static, 2)
        for (int k = 0; k < K; k++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < M; j += 2) {
                    double t = x[(k + i * j) % n];
                    out[k][i][j] = sin(t) * x[i];
                }
#pragma omp for collapse(2) reduction(+ : s) nowait
        for (int k = 0; k < K; k++)
            for (int i = 0; i < N; i++) {
                double row = 0;
                for (int j = 0; j < M; j += 2)
                    row += out[k][i][j];
                s += row * row;
            }
    }
    return s;
}
/* One long row: only the collapsed space has work for everybody. */
static double flat(double *x, int n)
{
    double s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < 1; i++)
        for (int j = 0; j < n; j++)
            s += (i + 1) * x[j] * x[(j + 3) % n];
    return s;
}
static double empty(double *x, int n)
{
    double s = x[0] * x[1];
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 9; j++)
            s += x[j];
    return s;
}
GRADIENT(two)
GRADIENT(three)
GRADIENT(flat)
GRADIENT(empty)
int main(void) { return CHECK(two, 20) | CHECK(three, 12) | CHECK(flat, 15) | CHECK(empty, 9); }
