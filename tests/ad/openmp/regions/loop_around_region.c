// A region in a time loop: what the reverse sweep needs is kept for each time it ran.
#include "../../check.h"
static double f(double *x, int n)
{
    double u[64], force[64], s = 0, total = 0;
    memcpy(u, x, n * sizeof *u);
    for (int step = 0; step < 6; step++) {
        double mean = 0;
#pragma omp parallel
        {
            double mine = 0;
#pragma omp for
            for (int i = 0; i < n; i++) {
                force[i] = -sin(u[i]) + 0.1 * u[(i + 1) % n];
                mine += force[i] * force[i];
            }
#pragma omp atomic
            mean += mine;
#pragma omp barrier
#pragma omp for
            for (int i = 0; i < n; i++)
                u[i] += 0.1 * force[i] / sqrt(1 + mean);
        }
        total += mean;
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    return s + total;
}
GRADIENT(f)
int main(void) { return CHECK(f, 16); }
