// Scratch that every thread keeps for itself between regions.
#include "../../check.h"
static double scratch[8], weight = 1;
#pragma omp threadprivate(scratch, weight)
static double inner(const double *x, int i, int n)
{
    for (int k = 0; k < 8; k++)
        scratch[k] = x[(i + k) % n] * weight;
    double s = 0;
    for (int k = 0; k < 8; k++)
        s += scratch[k] * scratch[7 - k];
    return s;
}
static double f(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
    weight = x[0];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = inner(x, i, n);
    for (int i = 0; i < n; i++)
        s += sin(y[i]);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 18); }
