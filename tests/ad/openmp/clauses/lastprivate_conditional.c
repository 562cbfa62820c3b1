// lastprivate(conditional:): the last iteration that assigns (OpenMP 5.0).
#include "../../check.h"
static double f(double *x, int n)
{
    double found = 0;
#pragma omp parallel for lastprivate(conditional : found)
    for (int i = 0; i < n; i++)
        if (x[i] > 1)
            found = x[i] * x[0];
    return found * found;
}
GRADIENT(f)
int main(void) { return CHECK(f, 18); }
