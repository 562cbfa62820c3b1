// A lock for every bin; also for two seeds at once.
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
extern int enzyme_width, enzyme_dup, enzyme_const;
int main(void)
{
    double x[22], one[22] = {0}, both[2][22] = {{0}};
    int bad = CHECK(f, 22);
    for (int i = 0; i < 22; i++)
        x[i] = 0.1 * i - 1.0;
    f_gradient(x, one, 22);
    __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, x, both[0], both[1], enzyme_const, 22);
    for (int i = 0; i < 22; i++)
        bad |= !(fabs(both[0][i] - one[i]) < 1e-12 && fabs(both[1][i] - one[i]) < 1e-12);
    return bad;
}
