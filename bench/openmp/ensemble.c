// size: 2000
// `size` oscillators with parameters of their own, 100 steps of the classical Runge-Kutta method each.
#include "../ad/gradient.h"

enum { STEPS = 100 };

static void slope(const double *y, double damping, double *out)
{
    out[0] = y[1];
    out[1] = damping * (1 - y[0] * y[0]) * y[1] - y[0];
}

static double ends(const double *start, const double *damping, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int i = 0; i < n; i++) {
        double y[2] = {start[i], 0.0}, k1[2], k2[2], k3[2], k4[2], probe[2], h = 0.02;
        for (int t = 0; t < STEPS; t++) {
            slope(y, damping[i], k1);
            for (int d = 0; d < 2; d++)
                probe[d] = y[d] + 0.5 * h * k1[d];
            slope(probe, damping[i], k2);
            for (int d = 0; d < 2; d++)
                probe[d] = y[d] + 0.5 * h * k2[d];
            slope(probe, damping[i], k3);
            for (int d = 0; d < 2; d++)
                probe[d] = y[d] + h * k3[d];
            slope(probe, damping[i], k4);
            for (int d = 0; d < 2; d++)
                y[d] += h / 6 * (k1[d] + 2 * k2[d] + 2 * k3[d] + k4[d]);
        }
        sum += y[0] * y[0] + y[1] * y[1];
    }
    return sum;
}

static struct array start, damping;
static int n;
static void setup(int size)
{
    n = size;
    start = variables((size_t)n, 0.5, 1.5);
    damping = variables((size_t)n, 0.5, 2);
}
static double objective(void) { return ends(start.x, damping.x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)ends, enzyme_dup, start.x, start.bar, enzyme_dup, damping.x, damping.bar, enzyme_const, n); }
