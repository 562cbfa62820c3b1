// Where cancellation is not allowed, which is OpenMP's default, it does nothing.
#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            if (x[i] > 100) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
#pragma omp atomic
            s += x[i] * x[i];
        }
#pragma omp cancel parallel if (s < 0)
    }
    return s * s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 18); }
