#include "../../check.h"
#pragma omp declare simd
static double wave(double t) { return sin(t) * t; }
static double vector(double *x, int n)
{
    double s = 0, last = 0;
#pragma omp simd reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += wave(x[i]);
#pragma omp simd lastprivate(last) safelen(8)
    for (int i = 0; i < n; i++) {
        last = x[i] * x[0];
    }
    return s * last;
}
static double both(double *restrict x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for simd schedule(static) simdlen(4)
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i] + x[0];
#pragma omp parallel for simd reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * wave(x[i]);
    return s;
}
static double inner(double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double row = 0;
#pragma omp simd reduction(+ : row)
        for (int j = 0; j < n; j++)
            row += x[i] * x[j] * (i == j ? 2 : 1);
        s += row * row;
    }
    return s;
}
static double ordered(double *x, int n)
{
    double s = 1, last = 0;
#pragma omp simd
    for (int i = 0; i < n; i++) {
        double own = x[i] * x[i];
#pragma omp ordered simd
        {
            last = 0.5 * last + own;
            s += last * x[i];
        }
    }
    return s;
}
GRADIENT(ordered)
GRADIENT(vector)
GRADIENT(both)
GRADIENT(inner)
int main(void) { return CHECK(ordered, 12) | CHECK(vector, 19) | CHECK(both, 26) | CHECK(inner, 8); }
