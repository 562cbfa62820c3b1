// Reductions on sections, and through a variable that single updates.
#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0, m = -1e9;
#pragma omp parallel sections reduction(+ : s) reduction(max : m)
    {
#pragma omp section
        {
            for (int i = 0; i < n / 2; i++)
                s += x[i] * x[i];
            m = fmax(m, x[0]);
        }
#pragma omp section
        for (int i = n / 2; i < n; i++) {
            s += sin(x[i]);
            if (x[i] > m)
                m = x[i];
        }
    }
    double t = 0;
#pragma omp parallel
    {
#pragma omp sections reduction(+ : t)
        {
            t += x[0] * s;
#pragma omp section
            t += x[1] * m;
#pragma omp section
            t += x[2] * x[3];
        }
#pragma omp single
        t *= t;
    }
    return t;
}
GRADIENT(f)
int main(void) { return CHECK(f, 15); }
