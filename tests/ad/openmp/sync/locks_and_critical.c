// A critical section under one lock, and another lock in a critical section: no two wait for each other, unless both locks are taken for one. And waits for a lock that end otherwise, too.
#include "../../check.h"
#include <omp.h>
static double both(double *x, int n)
{
    double s = 0, p = 0, q = 0;
    omp_lock_t a, b;
    omp_init_lock(&a);
    omp_init_lock(&b);
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 300; i++) {
        double v = x[i % n] * x[(i + 1) % n];
        if (i & 1) {
            omp_set_lock(&a);
            s += v;
#pragma omp critical(foo)
            p += v * v;
            omp_unset_lock(&a);
        } else {
#pragma omp critical(foo)
            {
                p += v;
                omp_set_lock(&b);
                q += v * x[3];
                omp_unset_lock(&b);
            }
        }
    }
    omp_destroy_lock(&a);
    omp_destroy_lock(&b);
    return s * 1e-2 + p * q * 1e-4;
}
static double gives_up(double *x, int n)
{
    double s = 0;
    omp_lock_t l;
    omp_init_lock(&l);
    omp_set_lock(&l);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        int tries = 0;
        while (!omp_test_lock(&l))
            if (++tries > 3)
                break;
        s += x[i] * x[i] * tries;
    }
    omp_unset_lock(&l);
    omp_destroy_lock(&l);
    return s;
}
GRADIENT(both)
GRADIENT(gives_up)
int main(void) { return CHECK(both, 8) | CHECK(gives_up, 9); }
