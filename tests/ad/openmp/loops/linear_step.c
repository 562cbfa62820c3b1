// Variables that advance by a step in each iteration, also downwards and through pointers, and are used behind the loop.
#include "../../check.h"
static double steps(double *x, int n)
{
    double out[128], s = 0;
    int k = 3, down = 2 * n, by = 2;
#pragma omp parallel for linear(k : by) linear(down : -2)
    for (int i = 0; i < n; i++) {
        out[k] = x[i] * x[i] * down;
        out[k + 1] = sin(x[i]);
        k += by;
        down -= 2;
    }
    for (int i = 0; i < n; i++)
        s += out[2 * i + 3] * out[2 * i + 4];
    return s + k * x[0] + down * x[1];
}
static double backwards(double *x, int n)
{
    const double *p = x;
    double s = 0;
    long j = 0;
#pragma omp parallel for simd linear(p : 1) linear(j : 3) reduction(+ : s)
    for (unsigned i = n; i > 0; i--) {
        s += *p * *p * i + j * x[i - 1];
        p++;
        j += 3;
    }
    return s * (p - x) + j;
}
GRADIENT(steps)
GRADIENT(backwards)
int main(void) { return CHECK(steps, 21) | CHECK(backwards, 19); }
