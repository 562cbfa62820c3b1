// atomic update in every spelling.
#include "../../check.h"
static double sums(double *x, int n)
{
    double s = 0, t = 100, u = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        s += x[i] * x[i];
#pragma omp atomic update
        t -= sin(x[i]);
#pragma omp atomic
        u = u + x[i];
#pragma omp atomic
        u = x[i] * x[0] + u;
    }
    return s * t + u * u;
}
static double products(double *x, int n)
{
    double p = 1, q = 50;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        p *= 1 + 0.2 * x[i];
#pragma omp atomic
        q /= 1 + 0.1 * x[i];
#pragma omp atomic
        p = p * 0.9;
    }
    return p + q;
}
static double elements(double *x, int n)
{
    double h[5] = {0}, s = 0;
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < n; i++) {
        int bin = (i * i + 3) % 5;
#pragma omp atomic
        h[bin] += x[i] * x[(i + 1) % n];
#pragma omp atomic
        h[(bin + 1) % 5] += cos(x[i]);
    }
    for (int b = 0; b < 5; b++)
        s += h[b] * h[b] * (b + 1);
    return s;
}
static double counters(double *x, int n)
{
    int big = 0, all = 0;
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        all++;
        if (x[i] > 1) {
#pragma omp atomic
            big += 1;
        }
    }
    for (int i = 0; i < big; i++)
        s += x[i] * x[i];
    return s * all;
}
GRADIENT(sums)
GRADIENT(products)
GRADIENT(elements)
GRADIENT(counters)
int main(void) { return CHECK(sums, 14) | CHECK(products, 11) | CHECK(elements, 27) | CHECK(counters, 20); }
