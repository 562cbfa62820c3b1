// Greatest and least value by `atomic compare`, beside other atomic accesses.
#include "../../check.h"
static void largest(double *to, double v)
{
#pragma omp atomic compare
    if (v > *to) {
        *to = v;
    }
}
static double f(double *x, int n)
{
    double most = 0, least = 1e9, sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[i] + 0.1;
        largest(&most, v);
#pragma omp atomic compare
        least = v < least ? v : least;
#pragma omp atomic
        sum += v * v;
    }
    return most * least + sum;
}
GRADIENT(f)
int main(void) { return CHECK(f, 19); }
