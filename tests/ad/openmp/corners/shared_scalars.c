// Shared scalars that one thread writes and all read, again and again.
#include "../../check.h"
static double f(double *x, int n)
{
    double scale = 1, shift = 0, u[64], s = 0;
    memcpy(u, x, n * sizeof *u);
#pragma omp parallel shared(scale, shift)
    for (int k = 0; k < 5; k++) {
#pragma omp single
        {
            scale = scale * 0.9 + 0.1 * u[k];
            shift += scale * x[0];
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            u[i] = u[i] * scale + 0.1 * shift;
    }
    for (int i = 0; i < n; i++)
        s += u[i];
    return s * scale + shift;
}
GRADIENT(f)
int main(void) { return CHECK(f, 11); }
