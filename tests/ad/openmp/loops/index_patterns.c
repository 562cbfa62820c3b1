// How a loop reads decides how its shadow may be written: own element, neighbour, shared, permuted, several to one, the same for all.
#include "../../check.h"
static double own(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        s += y[i] * (i + 1);
    return s;
}
static double neighbours(double *x, int n)
{
    double y[64] = {0}, s = 0;
#pragma omp parallel for
    for (int i = 2; i < n - 2; i++)
        y[i] = x[i - 2] * x[i] - x[i + 1] * x[i - 1] + sin(x[i + 2]);
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double broadcast(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[0] * cos(x[n / 2]) + x[i];
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double permuted(double *x, int n)
{
    int at[64];
    double y[64], s = 0;
    for (int i = 0; i < n; i++)
        at[i] = (i * 5 + 2) % n;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[at[i]] = x[i] * x[at[i]];
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double coarse(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i / 3] * x[(i * i) % n] + x[n - 1 - i];
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double interleaved(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++) {
        y[2 * i] = x[2 * i] * x[2 * i + 1];
        y[2 * i + 1] = x[2 * i] / x[2 * i + 1];
    }
    for (int i = 0; i < n / 2 * 2; i++)
        s += y[i] * y[i];
    return s;
}
static double in_place(double *x, int n)
{
    double y[64], s = 0;
    memcpy(y, x, n * sizeof *y);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] *= y[i];
        y[i] += sin(y[i]) * x[(i + 1) % n];
    }
    for (int i = 0; i < n; i++)
        s += y[i];
    return s;
}
GRADIENT(own)
GRADIENT(neighbours)
GRADIENT(broadcast)
GRADIENT(permuted)
GRADIENT(coarse)
GRADIENT(interleaved)
GRADIENT(in_place)
int main(void)
{
    return CHECK(own, 18) | CHECK(neighbours, 41) | CHECK(broadcast, 25) | CHECK(permuted, 33) | CHECK(coarse, 37) | CHECK(interleaved, 24) |
           CHECK(in_place, 20);
}
