// Worksharing that all threads reach or none, and loops of them with lengths that change.
#include "../../check.h"
static double f(double *x, int n)
{
    double u[64], s = 0;
    memcpy(u, x, n * sizeof *u);
#pragma omp parallel
    {
        for (int k = 0; k < n; k++) {
            if (k % 3 == 1) {
#pragma omp for
                for (int i = k; i < n; i++)
                    u[i] *= 1 + 0.1 * x[k];
            } else if (x[k] > 0.9) {
#pragma omp for schedule(dynamic, 2)
                for (int i = 0; i < k; i++)
                    u[i] = sin(u[i] + x[k]);
            }
        }
        switch (n % 4) {
        case 1:
#pragma omp single
            u[0] += u[1];
            break;
        default:
#pragma omp for
            for (int i = 0; i < n; i++)
                u[i] += x[0];
        }
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 13) | CHECK(f, 14); }
