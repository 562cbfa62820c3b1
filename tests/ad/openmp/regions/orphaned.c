// Worksharing in functions that the region calls.
#include "../../check.h"
static void square(const double *in, double *out, int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        out[i] = in[i] * in[i];
}
static void sweep(double *v, const double *x, int n)
{
#pragma omp for schedule(static, 2)
    for (int i = 0; i < n; i++)
        v[i] = v[i] * x[0] + x[n - 1 - i];
#pragma omp single
    v[0] *= 2;
}
static double shared_sum;
static void collect(const double *v, int n)
{
#pragma omp single
    shared_sum = 0;
#pragma omp for reduction(+ : shared_sum)
    for (int i = 0; i < n; i++)
        shared_sum += sin(v[i]);
}
static double f(double *x, int n)
{
    double y[64];
#pragma omp parallel
    {
        square(x, y, n);
        sweep(y, x, n);
        sweep(y, x, n);
        collect(y, n);
    }
    return shared_sum * shared_sum;
}
/* The same functions from serial code: a team of one. */
static double serial(double *x, int n)
{
    double y[64] = {0};
    square(x, y, n);
    sweep(y, x, n);
    collect(y, n);
    return shared_sum;
}
GRADIENT(f)
GRADIENT(serial)
int main(void) { return CHECK(f, 18) | CHECK(serial, 7); }
