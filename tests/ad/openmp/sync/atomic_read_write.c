#include "../../check.h"
static double f(double *x, int n)
{
    double shared = 0, y[64], s = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp atomic write
            shared = x[0] * x[1];
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            double v;
#pragma omp atomic read
            v = shared;
            y[i] = v * x[i];
        }
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 16); }
