// The canonical loop in its many spellings: directions, strides, types of the index, relations.
#include "../../check.h"
#include <stddef.h>
#include <stdint.h>
static double down(double *x, int n)
{
    double y[64] = {0}, s = 0;
    int i;
#pragma omp parallel for
    for (i = n - 1; i >= 0; i--)
        y[i] = x[i] * x[n - 1 - i];
#pragma omp parallel for reduction(+ : s)
    for (i = n; i > 1; i -= 2)
        s += y[i - 1] * sin(x[i - 2]);
    return s;
}
static double strides(double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 1; i <= n - 1; i += 3)
        s += x[i] * x[i - 1];
    int step = n / 4 + 1;
#pragma omp parallel for reduction(+ : s) schedule(static, 2)
    for (int i = 0; i < n; i = i + step)
        s += exp(x[i]);
#pragma omp parallel for reduction(+ : s)
    for (int i = 2; i != n; ++i)
        s += x[i] * x[2];
    return s;
}
static double types(double *x, int n)
{
    double s = 0;
    size_t m = (size_t)n;
#pragma omp parallel for reduction(+ : s)
    for (size_t i = 0; i < m; i++)
        s += x[i] * x[i];
#pragma omp parallel for reduction(+ : s)
    for (unsigned char i = 0; i < 10; i++)
        s += x[i % n] / (1 + i);
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = -5; i < 5; i++)
        s += x[(i + 5) % n] * (double)i;
#pragma omp parallel for reduction(+ : s)
    for (unsigned i = 7; i > 2; i--)
        s += x[i % m] * x[i % m] * x[0];
#pragma omp parallel for reduction(+ : s)
    for (short i = 3; 11 > i; i++)
        s += sqrt(x[i % n]);
    return s;
}
GRADIENT(down)
GRADIENT(strides)
GRADIENT(types)
int main(void) { return CHECK(down, 21) | CHECK(strides, 26) | CHECK(types, 12); }
