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
/* What nobody writes is known: there is nothing to read. Numbers that are only written atomically, and what is read in vain. */
static double known(double *x, int n)
{
    double fixed = 2, y[64], z[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v, idle;
        double square = x[i] * x[i];
#pragma omp atomic read
        v = fixed;
#pragma omp atomic write
        y[i] = square;
#pragma omp atomic read
        idle = y[i];
        (void)idle;
        z[i] = v * square;
    }
    for (int i = 0; i < n; i++)
        s += y[i] * z[n - 1 - i];
    return s;
}
GRADIENT(f)
GRADIENT(known)
int main(void) { return CHECK(f, 16) | CHECK(known, 9); }
