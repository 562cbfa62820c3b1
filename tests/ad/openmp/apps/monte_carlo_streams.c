// A random stream per thread, with a fixed number of threads.
#include "../../check.h"
#include <omp.h>
static unsigned step(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }
static double f(double *x, int n)
{
    double total = 0;
#pragma omp parallel num_threads(2) reduction(+ : total)
    {
        unsigned state = 17u + 91u * (unsigned)omp_get_thread_num();
        double walk = x[0];
#pragma omp for schedule(static)
        for (int trial = 0; trial < 40; trial++) {
            double u = step(&state) / 4294967296.0;
            walk = 0.9 * walk + 0.1 * u * x[trial % n];
            total += walk * walk;
        }
    }
    return total / 40;
}
GRADIENT(f)
int main(void)
{
    omp_set_dynamic(0);
    return CHECK(f, 6);
}
