// Parallel loops over global arrays, as older codes have them.
#include "../../check.h"
#define MAX 40
static double u[MAX], v[MAX], coefficient;
static int cells;
static void advance(void)
{
    int i;
#pragma omp parallel for private(i)
    for (i = 1; i < cells - 1; i++)
        v[i] = u[i] + coefficient * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma omp parallel for private(i)
    for (i = 1; i < cells - 1; i++)
        u[i] = v[i];
}
static double energy(void)
{
    double e = 0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < cells; i++)
        e += u[i] * u[i];
    return e;
}
static double run(double *x, int n)
{
    cells = n;
    coefficient = 0.2 * x[0];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int step = 0; step < 6; step++)
        advance();
    return energy();
}
GRADIENT(run)
int main(void) { return CHECK(run, 22); }
