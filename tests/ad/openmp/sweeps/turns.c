// Critical sections in which the order matters: whatever order the threads had, R takes the opposite one.
#include "../../check.h"
/* a recurrence over entries whose end does not depend on their order */
static double products(double *x, int n)
{
    double p = 1, q = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double f = 1 + 0.2 * sin(x[i]);
#pragma omp critical
        {
            /* p and q: the first two elementary symmetric functions */
            q = q * f + p * 0;
            q = q + x[i];
            p *= f;
            q = q - x[i] + x[i] * 0;
        }
        if (i % 3 == 0) {
#pragma omp critical
            p = p * x[i];
        }
    }
    return p + q;
}
static double symmetric(double *x, int n)
{
    double e1 = 0, e2 = 0, e3 = 0;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
#pragma omp critical(sums)
        {
            e3 += e2 * x[i];
            e2 += e1 * x[i];
            e1 += x[i];
        }
    }
    return e3 + e2 * e1;
}
static double extremes(double *x, int n)
{
    double low = 1e9, high = -1e9, where = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[(i + 1) % n];
#pragma omp critical(low)
        if (v < low)
            low = v;
#pragma omp critical(high)
        {
            if (v > high) {
                high = v;
                where = x[i] * 2;
            }
        }
    }
    return low * 3 + high * where;
}
static double two_regions(double *x, int n)
{
    double p = 1;
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = t; i < n; i++)
#pragma omp critical
            p *= 1 + 0.05 * x[i];
    }
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        s += x[i] * p;
    }
    return s;
}
GRADIENT(products)
GRADIENT(symmetric)
GRADIENT(extremes)
GRADIENT(two_regions)
int main(void)
{
    return CHECK(products, 9) | CHECK(symmetric, 10) | CHECK(extremes, 12) | CHECK(two_regions, 8);
}
