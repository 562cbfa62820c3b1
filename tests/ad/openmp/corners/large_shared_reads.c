// Everybody reads the same few numbers very often: wrong increments would lose updates here sooner than elsewhere.
#include "../../check.h"
static double f(double *x, int n)
{
    double out[512], s = 0;
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 512; i++) {
        double t = 0;
        for (int k = 0; k < n; k++)
            t += x[k] * sin(0.01 * i * x[(k + 1) % n]);
        out[i] = t;
    }
    for (int i = 0; i < 512; i++)
        s += out[i] * (1e-3 * i);
    return s;
}
static double scattered(double *x, int n)
{
    double out[512] = {0}, s = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 512; i++)
        out[i] = x[(i * 17) % n] * x[(i / 7) % n] * x[i % 2];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 512; i++)
        s += out[i] * out[511 - i] * 1e-2;
    return s;
}
GRADIENT(f)
GRADIENT(scattered)
int main(void) { return CHECK(f, 4) | CHECK(scattered, 6); }
