// Numbers of several types that threads share: adjoints of numbers from outside, float, long double, complex.
#include <complex.h>
#include "../../check.h"
static double outside(double *x, int n)
{
    double a = x[0] * x[1], b = sin(x[2]), s = 0;
    float c = (float)(x[1] * 0.5);
    long double d = x[0];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a * x[i] + b * x[i] * x[i] + (double)(d * x[i]);
    return s * a + b + 0 * c;
}
static double complex_sum(double *x, int n)
{
    double complex z[32], w = 1 + x[0] * I;
    double s = 0;
    for (int i = 0; i < n; i++)
        z[i] = x[i] + I * x[n - 1 - i];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double complex v = z[(i * 5) % n] * w * z[0];
        s += creal(v) * cimag(v);
    }
    return s;
}
static double longs(double *x, int n)
{
    long double y[32];
    double s = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += (double)(y[(i * 3) % 4] * y[i] * y[0]);
    return s;
}
GRADIENT(outside)
GRADIENT(complex_sum)
GRADIENT(longs)
int main(void) { return CHECK(outside, 14) | CHECK(complex_sum, 12) | CHECK(longs, 12); }
