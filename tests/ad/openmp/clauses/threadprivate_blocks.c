// Work memory of each thread behind a threadprivate pointer, allocated before the derivative is called, and kept for the next call.
#include "../../check.h"
#include <omp.h>
#include <stdlib.h>
static double *work;
static int length;
#pragma omp threadprivate(work)
static void set_up(int n)
{
    length = n;
#pragma omp parallel
    work = malloc((unsigned)n * sizeof *work);
}
static void clean_up(void)
{
#pragma omp parallel
    {
        free(work);
        work = NULL;
    }
}
static double f(double *x, int n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < length; k++)
            work[k] = x[i] * k + x[(i + 1) % n];
        for (int k = 0; k < length; k++)
            sum += work[k] * work[length - 1 - k];
    }
    return sum;
}
GRADIENT(f)
int main(void)
{
    set_up(5);
    int bad = CHECK(f, 13);
    clean_up();
    set_up(7);
    bad += CHECK(f, 9);
    clean_up();
    return bad;
}
