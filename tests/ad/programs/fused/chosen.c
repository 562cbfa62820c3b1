/* Running minima and maxima of what inner loops compute: only what was chosen has an adjoint. Also at a point where that is zero, for second derivatives. */
#include "check.h"

void __enzyme_fwddiff(void *, ...);

enum { D = 6, K = 5 };

static double nearest_of(const double *x, int n)
{
    double total = 0.0;
    for (int i = 0; i + D <= n; i += D) {
        double nearest = INFINITY, farthest = -1.0;
        for (int j = 0; j < K; j++) {
            double distance = 0.0, far = 0.0;
            for (int c = 0; c < D; c++) {
                double delta = x[i + c] - 0.3 * j * sin(c + j);
                distance += delta * delta;
            }
            for (int c = 0; c < D; c++)
                far += fabs(x[i + c] * j - 1);
            far = sqrt(far);
            if (distance < nearest)
                nearest = distance;
            farthest = far > farthest ? far : farthest;
        }
        total += nearest * farthest;
    }
    return total;
}
GRADIENT(nearest_of)

/* Early ends around the choice. */
static double until(const double *x, int n)
{
    double most = -1.0;
    for (int i = 0; i + D <= n; i++) {
        double sum = 0.0;
        for (int c = 0; c < D; c++)
            sum += exp(x[i + c]);
        if (sum > most)
            most = sum;
        if (i == 20)
            break;
    }
    return most;
}
GRADIENT(until)

/* (nearest - 1)² / 2, where nearest is 1: the gradient is zero, and its derivative is not. */
static double at_zero(const double *x, int n)
{
    double nearest = INFINITY;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int c = 0; c < n; c++)
            sum += x[c] * (j + 1);
        if (sum < nearest)
            nearest = sum;
    }
    return 0.5 * (nearest - 1) * (nearest - 1);
}
GRADIENT(at_zero)
static int second(void)
{
    double x[D], v[D], g[D] = {0}, h[D] = {0};
    for (int i = 0; i < D; i++) {
        x[i] = i == 0;
        v[i] = i + 1;
    }
    __enzyme_fwddiff((void *)at_zero_gradient, enzyme_dup, x, v, enzyme_dup, g, h, enzyme_const, D);
    for (int i = 0; i < D; i++)
        if (fabs(g[i]) > 1e-14 || fabs(h[i] - D * (D + 1) / 2) > 1e-12) {
            printf("second derivative: %g %g\n", g[i], h[i]);
            return 1;
        }
    return 0;
}

int main(void)
{
    return CHECK(nearest_of) || CHECK(until) || second();
}
