// size: 60
// A nonlinear wave on 20000 points, `size` steps inside one region: loops that wait for each other, buffers that each thread swaps.
#include "../ad/gradient.h"

enum { POINTS = 20000 };

static double travelled(const double *start, const double *speed, int steps)
{
    double *a = malloc(POINTS * sizeof *a), *b = malloc(POINTS * sizeof *b), sum = 0.0;
#pragma omp parallel
    {
        double *now = a, *next = b;
#pragma omp for
        for (int i = 0; i < POINTS; i++)
            a[i] = b[i] = start[i];
        for (int t = 0; t < steps; t++) {
#pragma omp for
            for (int i = 1; i < POINTS - 1; i++) {
                double flux = now[i] * now[i] - now[i - 1] * now[i - 1];
                next[i] = now[i] - 0.05 * speed[i] * flux + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]);
            }
            double *other = now;
            now = next;
            next = other;
        }
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < POINTS; i++)
            sum += now[i] * now[i];
    }
    free(a);
    free(b);
    return sum;
}

static struct array start, speed;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(POINTS, 0, 1);
    speed = variables(POINTS, 0.5, 1);
}
static double objective(void) { return travelled(start.x, speed.x, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)travelled, enzyme_dup, start.x, start.bar, enzyme_dup, speed.x, speed.bar, enzyme_const, steps); }
