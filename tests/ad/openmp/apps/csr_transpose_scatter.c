// Transposed product: rows scatter into shared results, by atomics; the reverse only reads them.
#include "../../check.h"
static double f(double *x, int n)
{
    double y[64] = {0}, z[64], s = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int r = 0; r < n; r++)
            for (int k = 0; k < 3; k++) {
                int c = (r * 3 + k * k * 5) % n;
#pragma omp atomic
                y[c] += x[r] * x[c] * (1 + k);
            }
#pragma omp for
        for (int i = 0; i < n; i++)
            z[i] = sin(y[i]);
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += z[i] * y[n - 1 - i];
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 19); }
