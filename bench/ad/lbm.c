// size: 20
// Lattice Boltzmann, D2Q9, 48 × 48 periodic cells, `size` steps of collision and streaming between two buffers.
#include "gradient.h"

enum { N = 48, Q = 9, CELLS = N * N };

static const int step_x[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, step_y[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight[Q] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

static double flow(const double *start, const double *omega, int steps)
{
    double *f = malloc(Q * CELLS * sizeof *f), *g = malloc(Q * CELLS * sizeof *g), sum = 0.0;
    for (int i = 0; i < Q * CELLS; i++)
        f[i] = g[i] = start[i];
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                int cell = y * N + x;
                double rho = 0.0, ux = 0.0, uy = 0.0;
                for (int q = 0; q < Q; q++) {
                    double value = f[q * CELLS + cell];
                    rho += value;
                    ux += step_x[q] * value;
                    uy += step_y[q] * value;
                }
                ux /= rho;
                uy /= rho;
                double squares = 1.5 * (ux * ux + uy * uy);
                for (int q = 0; q < Q; q++) {
                    double along = 3.0 * (step_x[q] * ux + step_y[q] * uy);
                    double equilibrium = weight[q] * rho * (1.0 + along + 0.5 * along * along - squares);
                    int to = (y + step_y[q] + N) % N * N + (x + step_x[q] + N) % N;
                    double value = f[q * CELLS + cell];
                    g[q * CELLS + to] = value + omega[cell] * (equilibrium - value);
                }
            }
        double *other = f;
        f = g;
        g = other;
    }
    for (int cell = 0; cell < CELLS; cell++) {
        double momentum = f[1 * CELLS + cell] - f[3 * CELLS + cell] + f[5 * CELLS + cell] - f[6 * CELLS + cell];
        sum += momentum * momentum;
    }
    free(f);
    free(g);
    return sum;
}

static struct array start, omega;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(Q * CELLS, 0.05, 0.15);
    omega = variables(CELLS, 0.8, 1.2);
}
static double objective(void) { return flow(start.x, omega.x, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)flow, enzyme_dup, start.x, start.bar, enzyme_dup, omega.x, omega.bar, enzyme_const, steps); }
