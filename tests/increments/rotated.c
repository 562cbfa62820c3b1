// grad: wave
// Three buffers that one thread passes around for all: neighbours take turns, and what is only read at its own place is the thread's own.
// no: atomic
// how: u[i + 1]: plain: only threads with neighbouring shares meet, and take turns
// how: old[i]: plain: each thread reads its own part
#include <stdlib.h>

double wave(int n, int steps, const double *start)
{
    double *u = malloc((size_t)n * sizeof *u), *old = malloc((size_t)n * sizeof *old), *next = malloc((size_t)n * sizeof *next), sum = 0.0;
    for (int i = 0; i < n; i++)
        u[i] = old[i] = next[i] = start[i];
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        for (int i = 1; i < n - 1; i++)
            next[i] = 2 * u[i] - old[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma omp single
        {
            double *gone = old;
            old = u;
            u = next;
            next = gone;
        }
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    free(u);
    free(old);
    free(next);
    return sum;
}
