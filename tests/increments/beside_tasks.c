// grad: steps
// some: omp task
// how: u[j]: plain: each thread reads its own part
#include <math.h>

/* A region without tasks knows what runs at the same time, whatever the tasks of the function do elsewhere. */
static void grow(double *u, int from, int to)
{
    for (int i = from; i < to; i++)
        u[i] = sin(exp(-u[i] * u[i]) + log(1.0 + u[i] * u[i])) * cos(u[i]);
}

void steps(double *u, const double *w, int n, int times)
{
    for (int t = 0; t < times; t++) {
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < n; i += 64) {
#pragma omp task firstprivate(i)
            grow(u, i, i + 64 < n ? i + 64 : n);
        }
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            u[j] = u[j] * w[0] + u[j] * u[j];
    }
}
