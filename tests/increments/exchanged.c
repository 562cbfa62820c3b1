// grad: smoothed
// Buffers that one thread exchanges for all.
// no: atomic
// how: now[i - 1]: plain: only threads with neighbouring shares meet, and take turns
#include <stdlib.h>
#include <string.h>

double smoothed(const double *x, int n, int steps)
{
    double *now = malloc((size_t)n * sizeof *now), *next = malloc((size_t)n * sizeof *next), sum = 0.0;
    memcpy(now, x, (size_t)n * sizeof *now);
    memcpy(next, x, (size_t)n * sizeof *next);
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.5 * now[i] * now[i] + 0.25 * (now[i - 1] + now[i + 1]);
#pragma omp single
        {
            double *other = now;
            now = next;
            next = other;
        }
    }
    for (int i = 0; i < n; i++)
        sum += now[i] * now[i];
    free(now);
    free(next);
    return sum;
}
