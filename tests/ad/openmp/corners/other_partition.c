// What one loop writes another reads under a different partition; and the first array is reused in between.
#include "../../check.h"
static double f(double *x, int n)
{
    double a[64], b[64], s = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            a[i] = x[i] * x[i];
#pragma omp for schedule(static, 1)
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i] * a[i];
#pragma omp for schedule(dynamic)
        for (int i = n - 1; i >= 0; i--)
            a[i] = exp(-b[(i * 3) % n]);
#pragma omp for schedule(guided) reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += a[i] * b[i] * x[i];
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 40) | CHECK(f, 2); }
