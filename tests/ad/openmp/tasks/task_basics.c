#include "../../check.h"
static double f(double *x, int n)
{
    double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(a)
        for (int i = 0; i < n; i++)
            a += x[i] * x[i];
#pragma omp task shared(b)
        b = sin(x[0]) * x[1];
#pragma omp taskwait
#pragma omp task shared(a, b, c)
        c = a * b;
    }
    return c + a;
}
static double blocks(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int from = 0; from < n; from += 4) {
            int to = from + 4 < n ? from + 4 : n;
#pragma omp task firstprivate(from, to)
            for (int i = from; i < to; i++)
                y[i] = x[i] * x[(i + 1) % n];
        }
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
GRADIENT(f)
GRADIENT(blocks)
int main(void) { return CHECK(f, 9) | CHECK(blocks, 22); }
