// Regions that are parallel only where it pays.
#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0, y[64];
#pragma omp parallel for if (n > 20) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    for (int round = 0; round < 4; round++) {
#pragma omp parallel if (round % 2) num_threads(3)
        {
#pragma omp for
            for (int i = 0; i < n; i++)
                y[i] = x[i] * x[round] + s;
#pragma omp single
            s += 0.1 * y[round];
        }
    }
#pragma omp parallel for if (parallel : x[0] > 0) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 10) | CHECK(f, 30); }
