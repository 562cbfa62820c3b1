// size: 200
// 64 coupled oscillators, `size` steps of the classical Runge-Kutta method.
#include "gradient.h"

enum { N = 64 };

static void slope(const double *state, const double *stiffness, double *out)
{
    for (int i = 0; i < N; i++) {
        double left = i > 0 ? state[i - 1] - state[i] : -state[i], right = i < N - 1 ? state[i + 1] - state[i] : -state[i];
        out[i] = state[N + i];
        out[N + i] = stiffness[i] * (left + right) - 0.1 * sin(state[i]);
    }
}

static double integrated(const double *start, const double *stiffness, int steps)
{
    double state[2 * N], k1[2 * N], k2[2 * N], k3[2 * N], k4[2 * N], probe[2 * N], h = 0.01, sum = 0.0;
    for (int i = 0; i < 2 * N; i++)
        state[i] = start[i];
    for (int t = 0; t < steps; t++) {
        slope(state, stiffness, k1);
        for (int i = 0; i < 2 * N; i++)
            probe[i] = state[i] + 0.5 * h * k1[i];
        slope(probe, stiffness, k2);
        for (int i = 0; i < 2 * N; i++)
            probe[i] = state[i] + 0.5 * h * k2[i];
        slope(probe, stiffness, k3);
        for (int i = 0; i < 2 * N; i++)
            probe[i] = state[i] + h * k3[i];
        slope(probe, stiffness, k4);
        for (int i = 0; i < 2 * N; i++)
            state[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    for (int i = 0; i < 2 * N; i++)
        sum += state[i] * state[i];
    return sum;
}

static struct array start, stiffness;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(2 * N, -1, 1);
    stiffness = variables(N, 0.5, 1.5);
}
static double objective(void) { return integrated(start.x, stiffness.x, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)integrated, enzyme_dup, start.x, start.bar, enzyme_dup, stiffness.x, stiffness.bar, enzyme_const, steps);
}
