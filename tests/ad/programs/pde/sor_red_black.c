/* Red-black SOR with a global grid and the relaxation factor as an active scalar. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define M 7
static double grid[M][M];

double __enzyme_autodiff(void *, double, double *, double *);

static double relax(double omega, double *edge)
{
    memset(grid, 0, sizeof grid);
    for (int i = 0; i < M; i++)
        grid[0][i] = edge[i];
    for (int sweep = 0; sweep < 5; sweep++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < M - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < M - 1; j += 2) {
                    double gs = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
                    grid[i][j] += omega * (gs - grid[i][j]);
                }
    double r = 0.0;
    for (int i = 1; i < M - 1; i++)
        for (int j = 1; j < M - 1; j++)
            r += grid[i][j] * grid[i][j];
    return r;
}

int main(void)
{
    double edge[M] = {0, 1, 2, 3, 2, 1, 0}, dedge[M] = {0};
    double dw = __enzyme_autodiff((void *)relax, 1.3, edge, dedge);
    double fw = (relax(1.3 + 1e-6, edge) - relax(1.3 - 1e-6, edge)) / 2e-6;
    if (!(fabs(dw - fw) < 1e-6 * (1 + fabs(fw)))) {
        printf("omega: %g vs %g\n", dw, fw);
        return 1;
    }
    /* The result is a quadratic form of the edge: x . grad = 2 f. */
    double dot = 0;
    for (int i = 0; i < M; i++)
        dot += edge[i] * dedge[i];
    double f = relax(1.3, edge);
    if (!(fabs(dot - 2 * f) < 1e-12 * (1 + f))) {
        printf("Euler's identity: %g vs %g\n", dot, 2 * f);
        return 1;
    }
    return 0;
}
