// Indices that look as if every iteration had an element of its own, and are not so: casts, strides of zero, masks, halves, absolute values.
#include "../../check.h"
#define MANY 4000
static double cast(double *x, int n)
{
    static double y[MANY];
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < MANY; i++) {
        unsigned char c = (unsigned char)(i * 8);
        y[i] = sin(x[c % n] + 1e-3 * i);
    }
    for (int i = 0; i < MANY; i++)
        s += y[i] * y[i];
    return s * 1e-2;
}
static double strided(const double *x, double *y, int count, int stride)
{
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        y[i] = x[i * stride] * (1 + 1e-3 * i);
    for (int i = 0; i < count; i++)
        s += y[i] * y[i];
    return s;
}
static double zero_stride(double *x, int n)
{
    static double y[MANY];
    return 1e-3 * strided(x, y, MANY, 0) + strided(x, y, n / 2, 2) + strided(x + n - 1, y, n, -1);
}
static double masked(double *x, int n)
{
    static double y[MANY];
    double s = 0;
    (void)n;
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < MANY; i++)
        y[i] = x[i & 7] * x[(i >> 9) & 7] * x[abs(i - MANY / 2) % 8];
    for (int i = 0; i < MANY; i++)
        s += y[i] * (i % 5);
    return s * 1e-2;
}
static double overlapping(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n - 2; i += 2)
        y[i] = x[i] * x[i + 1] * x[i + 2];
    for (int i = 0; i < n - 2; i += 2)
        s += y[i];
    return s;
}
static double signed_wrap(double *x, int n)
{
    static double y[MANY];
    double s = 0;
#pragma omp parallel for
    for (long i = 0; i < MANY; i++) {
        short low = (short)(i * 16384);
        y[i] = x[(low / 16384 + 2) % n] * (1 + 1e-4 * (double)i);
    }
    for (int i = 0; i < MANY; i++)
        s += y[i] * y[i];
    return s * 1e-3;
}
GRADIENT(cast)
GRADIENT(zero_stride)
GRADIENT(masked)
GRADIENT(overlapping)
GRADIENT(signed_wrap)
int main(void) { return CHECK(cast, 16) | CHECK(zero_stride, 12) | CHECK(masked, 8) | CHECK(overlapping, 33) | CHECK(signed_wrap, 6); }
