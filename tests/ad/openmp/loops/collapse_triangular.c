// Non-rectangular collapse (OpenMP 5.0): the inner bound depends on the outer index.
#include "../../check.h"
static double pairs(double *x, int n)
{
    double energy = 0;
#pragma omp parallel for collapse(2) reduction(+ : energy)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            energy += 1 / (0.5 + (x[i] - x[j]) * (x[i] - x[j]));
    return energy;
}
GRADIENT(pairs)
int main(void) { return CHECK(pairs, 11); }
