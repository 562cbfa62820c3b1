// A time loop inside the region, buffers exchanged by every thread for itself.
#include "../../check.h"
static double f(double *x, int n)
{
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), s = 0;
    memcpy(a, x, n * sizeof *a);
    memcpy(b, x, n * sizeof *b);
#pragma omp parallel
    {
        double *now = a, *next = b;
        for (int step = 0; step < 7; step++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                next[i] = now[i] + 0.2 * x[0] * (now[i - 1] - 2 * now[i] + now[i + 1]) - 0.01 * now[i] * now[i];
            double *t = now;
            now = next;
            next = t;
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += now[i] * now[i];
    }
    free(a);
    free(b);
    return s;
}
/* The same, but one thread exchanges the shared pointers. */
static double shared_swap(double *x, int n)
{
    double storage[2][64], *now = storage[0], *next = storage[1], s = 0;
    memcpy(now, x, n * sizeof *now);
    memcpy(next, x, n * sizeof *next);
#pragma omp parallel shared(now, next)
    for (int step = 0; step < 4; step++) {
#pragma omp for
        for (int i = 1; i < n - 1; i++)
            next[i] = sin(now[i - 1]) * now[i + 1];
#pragma omp single
        {
            double *t = now;
            now = next;
            next = t;
        }
    }
    for (int i = 0; i < n; i++)
        s += now[i] * i;
    return s;
}
GRADIENT(f)
GRADIENT(shared_swap)
int main(void) { return CHECK(f, 20) | CHECK(shared_swap, 17); }
