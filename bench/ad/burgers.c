// size: 400
// The viscous Burgers equation on 500 points, `size` explicit steps with upwind differences in place of the old values, and the distance to a wanted end.
#include "gradient.h"

enum { N = 500 };

static double distance(const double *start, const double *wanted, double viscosity, int steps)
{
    double u[N], next[N], dx = 1.0 / N, dt = 0.2 * dx, sum = 0.0;
    for (int i = 0; i < N; i++)
        u[i] = start[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++) {
            double left = i > 0 ? u[i - 1] : u[N - 1], right = i < N - 1 ? u[i + 1] : u[0];
            double slope = u[i] > 0 ? u[i] - left : right - u[i];
            next[i] = u[i] - dt * u[i] * slope / dx + dt * viscosity * (left - 2 * u[i] + right) / (dx * dx);
        }
        for (int i = 0; i < N; i++)
            u[i] = next[i];
    }
    for (int i = 0; i < N; i++)
        sum += (u[i] - wanted[i]) * (u[i] - wanted[i]) * dx;
    return sum;
}

static struct array start;
static double *wanted;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(N, -0.05, 0.05);
    for (int i = 0; i < N; i++)
        start.x[i] += sin(6.283185307179586 * (i + 0.3) / N) + 0.2;
    wanted = data(N, -1, 1);
}
static double objective(void) { return distance(start.x, wanted, 0.002, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)distance, enzyme_dup, start.x, start.bar, enzyme_const, wanted, enzyme_const, 0.002, enzyme_const, steps);
}
