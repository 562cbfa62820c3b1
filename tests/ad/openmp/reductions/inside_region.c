// Reductions of worksharing loops whose results the same region goes on with.
#include "../../check.h"
static double standardise(double *x, int n)
{
    double mean = 0, variance = 0, skew = 0, y[64];
#pragma omp parallel shared(mean, variance, skew)
    {
#pragma omp for reduction(+ : mean)
        for (int i = 0; i < n; i++)
            mean += x[i] / n;
#pragma omp for reduction(+ : variance)
        for (int i = 0; i < n; i++)
            variance += (x[i] - mean) * (x[i] - mean) / n;
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = (x[i] - mean) / sqrt(variance + 0.01);
#pragma omp for reduction(+ : skew)
        for (int i = 0; i < n; i++)
            skew += y[i] * y[i] * y[i];
    }
    return skew + mean;
}
static double repeated(double *x, int n)
{
    double v[64], dot;
    memcpy(v, x, n * sizeof *v);
#pragma omp parallel
    for (int step = 0; step < 4; step++) {
#pragma omp single
        dot = 0;
#pragma omp for reduction(+ : dot)
        for (int i = 0; i < n; i++)
            dot += v[i] * v[i];
#pragma omp for
        for (int i = 0; i < n; i++)
            v[i] = v[i] / sqrt(dot) + 0.1 * x[(i + step) % n];
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * i;
    return s;
}
GRADIENT(standardise)
GRADIENT(repeated)
int main(void) { return CHECK(standardise, 24) | CHECK(repeated, 16); }
