// size: 20
// The wave equation in three dimensions with a 7-point stencil, 24³, `size` steps over three buffers.
#include "gradient.h"

enum { N = 24, ALL = N * N * N };

static double waved(const double *speed, const double *start, int steps)
{
    double *last = malloc(ALL * sizeof(double)), *now = malloc(ALL * sizeof(double)), *next = malloc(ALL * sizeof(double)), sum = 0.0;
    for (int i = 0; i < ALL; i++)
        last[i] = now[i] = next[i] = start[i];
    for (int t = 0; t < steps; t++) {
        for (int x = 1; x < N - 1; x++)
            for (int y = 1; y < N - 1; y++)
                for (int z = 1; z < N - 1; z++) {
                    int i = (x * N + y) * N + z;
                    double laplace = now[i - N * N] + now[i + N * N] + now[i - N] + now[i + N] + now[i - 1] + now[i + 1] - 6 * now[i];
                    next[i] = 2 * now[i] - last[i] + speed[i] * speed[i] * laplace;
                }
        double *other = last;
        last = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < ALL; i++)
        sum += now[i] * now[i];
    free(last);
    free(now);
    free(next);
    return sum;
}

static struct array speed, start;
static int steps;
static void setup(int size)
{
    steps = size;
    speed = variables(ALL, 0.2, 0.4);
    start = variables(ALL, -1, 1);
}
static double objective(void) { return waved(speed.x, start.x, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)waved, enzyme_dup, speed.x, speed.bar, enzyme_dup, start.x, start.bar, enzyme_const, steps); }
