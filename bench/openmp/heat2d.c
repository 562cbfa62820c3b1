// size: 50
// The heat equation in two dimensions, explicit, 256 × 256, `size` steps between two buffers that are swapped by pointer.
#include "../ad/gradient.h"

enum { N = 256 };

static double heated(const double *start, double conductivity, int steps)
{
    double *now = malloc(N * N * sizeof *now), *next = malloc(N * N * sizeof *next), sum = 0.0;
#pragma omp parallel for
    for (int i = 0; i < N * N; i++)
        now[i] = next[i] = start[i];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                double u = now[i * N + j];
                double flow = now[(i - 1) * N + j] + now[(i + 1) * N + j] + now[i * N + j - 1] + now[i * N + j + 1] - 4 * u;
                next[i * N + j] = u + conductivity * (1 + 0.1 * u) * flow;
            }
        double *other = now;
        now = next;
        next = other;
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N * N; i++)
        sum += now[i] * now[i];
    free(now);
    free(next);
    return sum;
}

static struct array start, conductivity;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(N * N, 0, 1);
    conductivity = variables(1, 0.1, 0.2);
}
static double objective(void) { return heated(start.x, *conductivity.x, steps); }
double __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    *conductivity.bar += __enzyme_autodiff((void *)heated, enzyme_dup, start.x, start.bar, enzyme_out, *conductivity.x, enzyme_const, steps);
}
