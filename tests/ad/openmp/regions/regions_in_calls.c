// Regions in recursive functions, in branches, in loops of unknown length.
#include "../../check.h"
static double level(const double *x, int n, int depth)
{
    double s = 0;
    if (depth == 0)
        return x[0];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[(i + depth) % n];
    return sin(s) + 0.5 * s * level(x, n - 1, depth - 1);
}
static double chosen(double *x, int n)
{
    double y[64], s = x[0];
    for (int k = 0; s < 30 && k < 9; k++) {
        if (k % 2) {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                y[i] = x[i] * s;
        } else {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                y[i] = x[n - 1 - i] + s;
        }
        for (int i = 0; i < n; i++)
            s += 0.1 * y[i];
    }
    return s;
}
static double f(double *x, int n) { return level(x, n, 4); }
GRADIENT(f)
GRADIENT(chosen)
int main(void) { return CHECK(f, 9) | CHECK(chosen, 12); }
