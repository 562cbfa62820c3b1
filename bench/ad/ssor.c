// size: 3
// Steps of successive over-relaxation in arrays at file scope: in each of 24^3 cells, a dense system for five numbers that depend on the cells behind; `size` steps.
#include "gradient.h"

enum { N = 24, M = 5 };

static double state[N][N][N][M], change[N][N][N][M];

static void solve_forwards(double omega)
{
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                double a[M][M], r[M];
                for (int m = 0; m < M; m++)
                    r[m] = change[k][j][i][m] -
                           omega * (0.1 * state[k - 1][j][i][m] * change[k - 1][j][i][m] + 0.2 * state[k][j - 1][i][m] * change[k][j - 1][i][m] +
                                    0.15 * state[k][j][i - 1][m] * change[k][j][i - 1][(m + 1) % M]);
                for (int m = 0; m < M; m++)
                    for (int l = 0; l < M; l++)
                        a[m][l] = (m == l ? 2.0 : 0.0) + 0.1 * state[k][j][i][m] * state[k][j][i][l];
                for (int p = 0; p < M; p++)
                    for (int m = p + 1; m < M; m++) {
                        double t = a[m][p] / a[p][p];
                        for (int l = p; l < M; l++)
                            a[m][l] -= t * a[p][l];
                        r[m] -= t * r[p];
                    }
                for (int p = M - 1; p >= 0; p--) {
                    for (int m = p + 1; m < M; m++)
                        r[p] -= a[p][m] * change[k][j][i][m];
                    change[k][j][i][p] = r[p] / a[p][p];
                }
            }
}

static double advanced(int steps, const double *start)
{
    double sum = 0.0;
    memcpy(state, start, sizeof state);
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    for (int m = 0; m < M; m++)
                        change[k][j][i][m] = 0.1 * state[k][j][i][m] * state[k][j][i][m];
        solve_forwards(1.1);
        for (int k = 1; k < N - 1; k++)
            for (int j = 1; j < N - 1; j++)
                for (int i = 1; i < N - 1; i++)
                    for (int m = 0; m < M; m++)
                        state[k][j][i][m] += 0.1 * change[k][j][i][m];
    }
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                for (int m = 0; m < M; m++)
                    sum += state[k][j][i][m] * state[k][j][i][m];
    return sum;
}

static struct array start;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables((size_t)N * N * N * M, 0.5, 1);
}
static double objective(void) { return advanced(steps, start.x); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)advanced, enzyme_const, steps, enzyme_dup, start.x, start.bar);
}
