// Red-black Gauss-Seidel in place, until a residual is small: the number of sweeps is not known beforehand.
#include "../../check.h"
#define M 6
static double f(double *x, int n)
{
    double u[M + 2][M + 2] = {{0}}, residual = 1, s = 0;
    int sweeps = 0;
    (void)n;
    for (int i = 0; i < M + 2; i++) {
        u[0][i] = x[i];
        u[i][M + 1] = x[M + 2 + i] * x[0];
    }
#pragma omp parallel
    while (residual > 0.05 && sweeps < 20) {
#pragma omp barrier
#pragma omp single
        {
            residual = 0;
            sweeps++;
        }
        for (int colour = 0; colour < 2; colour++) {
#pragma omp for reduction(+ : residual)
            for (int i = 1; i <= M; i++)
                for (int j = 1 + (i + colour) % 2; j <= M; j += 2) {
                    double next = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + 0.05 * u[i][j] * u[i][j];
                    residual += fabs(next - u[i][j]);
                    u[i][j] = next;
                }
        }
    }
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= M; j++)
            s += u[i][j] * u[j][i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 2 * M + 4); }
