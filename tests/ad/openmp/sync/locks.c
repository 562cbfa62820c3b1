// A lock for every bin.
#include "../../check.h"
#include <omp.h>
#define BINS 4
static double f(double *x, int n)
{
    omp_lock_t lock[BINS];
    double h[BINS] = {0}, s = 0;
    for (int b = 0; b < BINS; b++)
        omp_init_lock(&lock[b]);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int b = i % BINS;
        double v = x[i] * x[i];
        omp_set_lock(&lock[b]);
        h[b] += v;
        omp_unset_lock(&lock[b]);
    }
    for (int b = 0; b < BINS; b++) {
        omp_destroy_lock(&lock[b]);
        s += h[b] * h[b];
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 22); }
