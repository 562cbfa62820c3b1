// An induction variable of its own beside the loop's.
#include "../../check.h"
static double every_second(double *x, int n)
{
    double s = 0;
    int k = 0;
#pragma omp simd linear(k : 2) reduction(+ : s)
    for (int i = 0; i < n / 2; i++) {
        s += x[k] * x[k + 1];
        k += 2;
    }
    return s * x[k - 2];
}
static double unit(double *x, int n)
{
    double s = 0;
    int k = 1;
#pragma omp simd linear(k) reduction(+ : s)
    for (int i = 0; i < n - 1; i++) {
        s += x[k] * x[i];
        k++;
    }
    return s * x[k - 1];
}
GRADIENT(every_second)
GRADIENT(unit)
int main(void) { return CHECK(every_second, 18) | CHECK(unit, 15); }
