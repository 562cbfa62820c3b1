// Regions in regions.
#include "../../check.h"
#include <omp.h>
static double inner(const double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s;
}
static double f(double *x, int n)
{
    double y[8], s = 0;
#pragma omp parallel for num_threads(2)
    for (int block = 0; block < 4; block++)
        y[block] = inner(x + block * (n / 4), n / 4) * x[block];
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp parallel for reduction(+ : s) num_threads(2)
            for (int k = 0; k < 4; k++)
                s += sin(y[k]);
        }
    }
    return s;
}
static double mixed(double *x, int n)
{
    double a[4][4], s = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < 4; i++) {
#pragma omp parallel for num_threads(2)
            for (int j = 0; j < 4; j++)
                a[i][j] = x[(i * 4 + j) % n] * x[j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s += a[i][j] * a[j][i];
    return s;
}
GRADIENT(f)
GRADIENT(mixed)
int main(void) { return CHECK(f, 16) | CHECK(mixed, 16); }
