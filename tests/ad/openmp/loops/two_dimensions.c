// Arrays whose bounds are parameters, in two dimensions.
#include "../../check.h"
static void product(int n, int m, int k, double a[n][m], double b[m][k], double c[n][k])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            double sum = 0;
            for (int l = 0; l < m; l++)
                sum += a[i][l] * b[l][j];
            c[i][j] = sum;
        }
}
static double f(double *x, int n)
{
    int m = n / 4;
    double(*a)[m] = (double(*)[m])x;
    double b[m][3], c[4][3], s = 0;
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 3; j++)
            b[i][j] = x[i] * x[j] + j;
    product(4, m, 3, a, b, c);
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            s += c[i][j] * c[i][j];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 20); }
