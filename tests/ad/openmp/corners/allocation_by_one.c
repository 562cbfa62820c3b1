// One thread allocates for all, one frees; the array grows between loops.
#include "../../check.h"
static double f(double *x, int n)
{
    double *w = NULL, s = 0;
#pragma omp parallel shared(w)
    {
#pragma omp single
        w = malloc(n * sizeof *w);
#pragma omp for
        for (int i = 0; i < n; i++)
            w[i] = x[i] * x[n - 1 - i];
#pragma omp single
        {
            w = realloc(w, 2 * n * sizeof *w);
            for (int i = 0; i < n; i++)
                w[n + i] = w[i] * x[0];
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < 2 * n; i++)
            s += w[i] * w[i];
#pragma omp master
        free(w);
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 15); }
