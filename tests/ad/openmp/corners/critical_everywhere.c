// Critical sections that must be undone in the order of their entries: in loops, nested, two names, between barriers, in called functions, in time loops.
#include "../../check.h"
#include <omp.h>
static double level;
static void raise_to(double v)
{
#pragma omp critical(level)
    {
        if (v > level)
            level = v;
    }
}
static double called(double *x, int n)
{
    level = 0.1 * x[0];
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        raise_to(x[i] * x[i]);
    return level * level;
}
static double two_names(double *x, int n)
{
    double a = 1, b = 1;
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < n; i++) {
        if (i % 2) {
#pragma omp critical(first)
            a *= 1 + 0.1 * x[i];
#pragma omp critical(second)
            b *= 1 + 0.2 * x[i];
        } else {
#pragma omp critical(second)
            b *= 1 - 0.1 * x[i];
#pragma omp critical(first)
            a *= 1 + 0.3 * x[i];
        }
    }
    return a + b;
}
static double nested(double *x, int n)
{
    double outer = 1, inner = 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical(around)
        {
            outer *= 1 + 0.1 * x[i];
#pragma omp critical(within)
            {
                inner *= 1 + 0.05 * x[i] * x[i];
            }
        }
    }
    return outer * inner;
}
static double phases(double *x, int n)
{
    double p = 1, q = 1, s = 0;
#pragma omp parallel
    {
        for (int step = 0; step < 3; step++) {
#pragma omp for nowait
            for (int i = 0; i < n; i++) {
#pragma omp critical
                p *= 1 + 0.05 * x[i];
            }
#pragma omp barrier
#pragma omp single
            {
                q = q * sqrt(p);
                s += q;
            }
#pragma omp for
            for (int i = 0; i < n; i++) {
#pragma omp critical
                {
                    for (int k = 0; k < 2; k++)
                        q *= 1 - 0.01 * x[(i + k) % n];
                }
            }
        }
    }
    return s + p * q;
}
GRADIENT(called)
GRADIENT(two_names)
GRADIENT(nested)
GRADIENT(phases)
int main(void) { return CHECK(called, 17) | CHECK(two_names, 13) | CHECK(nested, 12) | CHECK(phases, 9); }
