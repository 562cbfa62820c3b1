// size: 20000
// Tridiagonal systems by the Thomas algorithm: implicit diffusion, 10 steps on `size` points with a coefficient at each.
#include "gradient.h"

enum { STEPS = 10 };

static void solve(int n, const double *lower, const double *diagonal, const double *upper, double *x, double *work)
{
    work[0] = upper[0] / diagonal[0];
    x[0] = x[0] / diagonal[0];
    for (int i = 1; i < n; i++) {
        double m = 1 / (diagonal[i] - lower[i] * work[i - 1]);
        work[i] = upper[i] * m;
        x[i] = (x[i] - lower[i] * x[i - 1]) * m;
    }
    for (int i = n - 2; i >= 0; i--)
        x[i] -= work[i] * x[i + 1];
}

static double diffused(int n, const double *coefficient, const double *start)
{
    size_t bytes = (size_t)n * sizeof(double);
    double *lower = malloc(bytes), *diagonal = malloc(bytes), *upper = malloc(bytes), *u = malloc(bytes), *work = malloc(bytes), sum = 0.0;
    for (int i = 0; i < n; i++) {
        lower[i] = i > 0 ? -0.5 * (coefficient[i - 1] + coefficient[i]) : 0.0;
        upper[i] = i < n - 1 ? -0.5 * (coefficient[i] + coefficient[i + 1]) : 0.0;
        diagonal[i] = 1 - lower[i] - upper[i];
        u[i] = start[i];
    }
    for (int t = 0; t < STEPS; t++)
        solve(n, lower, diagonal, upper, u, work);
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    free(lower);
    free(diagonal);
    free(upper);
    free(u);
    free(work);
    return sum;
}

static struct array coefficient, start;
static int n;
static void setup(int size)
{
    n = size;
    coefficient = variables((size_t)n, 0.5, 2);
    start = variables((size_t)n, -1, 1);
}
static double objective(void) { return diffused(n, coefficient.x, start.x); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)diffused, enzyme_const, n, enzyme_dup, coefficient.x, coefficient.bar, enzyme_dup, start.x, start.bar);
}
