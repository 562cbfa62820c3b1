// Sections: different work for different threads, more sections than threads, and in a loop.
#include "../../check.h"
static double f(double *x, int n)
{
    double a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < n; i++)
            a += x[i] * x[i];
#pragma omp section
        {
            b = 1;
            for (int i = 0; i < n; i++)
                b *= 1 + 0.1 * x[i];
        }
#pragma omp section
        c = sin(x[0]) * x[n - 1];
#pragma omp section
        d = x[1] / x[0];
    }
    return a * b + c * d;
}
static double in_region(double *x, int n)
{
    double u[64], v[64], s = 0;
    memcpy(u, x, n * sizeof *u);
    memcpy(v, x, n * sizeof *v);
#pragma omp parallel
    for (int step = 0; step < 3; step++) {
#pragma omp sections
        {
#pragma omp section
            for (int i = 1; i < n; i++)
                u[i] += 0.3 * u[i - 1] * x[i];
#pragma omp section
            for (int i = n - 2; i >= 0; i--)
                v[i] += 0.3 * v[i + 1] * x[i];
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            double t = u[i];
            u[i] = 0.5 * (u[i] + v[i]);
            v[i] = t - 0.2 * v[i];
        }
    }
    for (int i = 0; i < n; i++)
        s += u[i] * v[n - 1 - i];
    return s;
}
static double no_wait(double *x, int n)
{
    double y[64], a = 0, b = 0, s = 0;
#pragma omp parallel
    {
#pragma omp sections nowait
        {
#pragma omp section
            a = x[0] * x[0];
#pragma omp section
            b = x[1] * x[0];
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = x[i] * 2;
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += y[i] * a + b;
    }
    return s;
}
GRADIENT(f)
GRADIENT(in_region)
GRADIENT(no_wait)
int main(void) { return CHECK(f, 12) | CHECK(in_region, 9) | CHECK(no_wait, 14); }
