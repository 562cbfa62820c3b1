// size: 60
// A wave in one region: `size` steps, threads meet after each.
#include "../ad/gradient.h"
enum { N = 400 };
static double wave(const double *start, const double *speed, int steps)
{
    double *u = malloc(N * N * sizeof *u), *old = malloc(N * N * sizeof *old), *next = malloc(N * N * sizeof *next), sum = 0.0;
    memcpy(u, start, N * N * sizeof *u);
    memcpy(old, start, N * N * sizeof *old);
    memcpy(next, start, N * N * sizeof *next);
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                double lap = u[(i - 1) * N + j] + u[(i + 1) * N + j] + u[i * N + j - 1] + u[i * N + j + 1] - 4 * u[i * N + j];
                next[i * N + j] = 2 * u[i * N + j] - old[i * N + j] + speed[i * N + j] * lap;
            }
#pragma omp single
        {
            double *gone = old;
            old = u;
            u = next;
            next = gone;
        }
    }
    for (int i = 0; i < N * N; i++)
        sum += u[i] * u[i];
    free(u);
    free(old);
    free(next);
    return sum;
}
static struct array start, speed;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(N * N, -1, 1);
    speed = variables(N * N, 0.05, 0.1);
}
static double objective(void) { return wave(start.x, speed.x, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)wave, enzyme_dup, start.x, start.bar, enzyme_dup, speed.x, speed.bar, enzyme_const, steps); }
