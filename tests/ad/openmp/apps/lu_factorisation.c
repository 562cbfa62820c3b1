/* right-looking LU without pivoting, log determinant and a solve */
#include "../../check.h"
#define M 7
static double f(double *x, int n)
{
    double a[M][M], b[M], s = 0;
    (void)n;
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) a[i][j] = x[i * M + j] + (i == j ? 5 : 0);
    for (int i = 0; i < M; i++) b[i] = x[i];
    for (int k = 0; k < M; k++) {
        #pragma omp parallel for schedule(static)
        for (int i = k + 1; i < M; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < M; j++) a[i][j] -= a[i][k] * a[k][j];
        }
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < i; j++) b[i] -= a[i][j] * b[j];
    for (int i = M - 1; i >= 0; i--) {
        for (int j = i + 1; j < M; j++) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < M; i++) s += log(fabs(a[i][i])) + b[i] * b[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, M * M); }
