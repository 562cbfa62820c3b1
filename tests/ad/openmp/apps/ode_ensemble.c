// Runge-Kutta for many oscillators; each with a state on its own stack; the trajectory's end and a running maximum are the loss.
#include "../../check.h"
static void field(const double *y, double mu, double *dy)
{
    dy[0] = y[1];
    dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
}
static void rk4(double *y, double mu, double h)
{
    double k1[2], k2[2], k3[2], k4[2], t[2];
    field(y, mu, k1);
    for (int d = 0; d < 2; d++)
        t[d] = y[d] + 0.5 * h * k1[d];
    field(t, mu, k2);
    for (int d = 0; d < 2; d++)
        t[d] = y[d] + 0.5 * h * k2[d];
    field(t, mu, k3);
    for (int d = 0; d < 2; d++)
        t[d] = y[d] + h * k3[d];
    field(t, mu, k4);
    for (int d = 0; d < 2; d++)
        y[d] += h / 6 * (k1[d] + 2 * k2[d] + 2 * k3[d] + k4[d]);
}
static double f(double *x, int n)
{
    double s = 0, peak = 0;
#pragma omp parallel for reduction(+ : s) reduction(max : peak)
    for (int i = 0; i < n; i++) {
        double y[2] = {x[i], 0.1 * x[0]}, top = 0;
        for (int k = 0; k < 25; k++) {
            rk4(y, x[(i + 1) % n], 0.1);
            if (y[0] > top)
                top = y[0];
        }
        s += y[0] * y[1];
        if (top > peak)
            peak = top;
    }
    return s + peak;
}
GRADIENT(f)
int main(void) { return CHECK(f, 7); }
