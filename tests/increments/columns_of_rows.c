// grad: f
// Columns of a table of rows: separate blocks, or rows of the caller's that a test tells apart; rows that are read in front of the loop along them.
// how: w[k][j]: plain
// how: memory[j]: plain
#include <math.h>
#include <stdlib.h>

double f(double **v, const double *x, int n, int m)
{
    double **w = malloc((unsigned long)n * sizeof *w), s = 0;
    for (int i = 0; i < n; i++) {
        w[i] = malloc((unsigned long)m * sizeof **w);
        for (int j = 0; j < m; j++)
            w[i][j] = x[i * m + j];
    }
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++)
        for (int k = 0; k < n; k++)
            s += w[k][j] * w[k][j];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += sin(v[i][j]);
    for (int i = 0; i < n; i++)
        free(w[i]);
    free(w);
    return s;
}
