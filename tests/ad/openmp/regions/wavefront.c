// Anti-diagonals of a table, each in parallel.
#include "../../check.h"
#define M 10
static double f(double *x, int n)
{
    double d[M + 1][M + 1] = {{0}};
    (void)n;
    for (int i = 0; i <= M; i++)
        d[i][0] = d[0][i] = 0.1 * i * x[0];
#pragma omp parallel
    for (int diagonal = 2; diagonal <= 2 * M; diagonal++) {
        int from = diagonal - M > 1 ? diagonal - M : 1, to = diagonal - 1 < M ? diagonal - 1 : M;
#pragma omp for schedule(static, 1)
        for (int i = from; i <= to; i++) {
            int j = diagonal - i;
            double cost = (x[i - 1] - x[M + j - 1]) * (x[i - 1] - x[M + j - 1]);
            double best = fmin(d[i - 1][j - 1], fmin(d[i - 1][j], d[i][j - 1]) + 0.1);
            d[i][j] = best + cost;
        }
    }
    return d[M][M] + d[M / 2][M];
}
GRADIENT(f)
int main(void) { return CHECK(f, 2 * M); }
