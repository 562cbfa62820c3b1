// size: 200
// Symmetric Gauss-Seidel on a square of `size` by `size` points, with five coefficients at each point: 5 sweeps there and back on the caller's vector.
#include "gradient.h"

enum { SWEEPS = 5 };

static double relaxed(int n, const double *a, const double *b, double *u)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const double *c = a + 5 * (i * n + j);
                u[i * n + j] = (b[i * n + j] - c[1] * u[(i - 1) * n + j] - c[2] * u[(i + 1) * n + j] - c[3] * u[i * n + j - 1] - c[4] * u[i * n + j + 1]) / c[0];
            }
        for (int i = n - 2; i > 0; i--)
            for (int j = n - 2; j > 0; j--) {
                const double *c = a + 5 * (i * n + j);
                u[i * n + j] = (b[i * n + j] - c[1] * u[(i - 1) * n + j] - c[2] * u[(i + 1) * n + j] - c[3] * u[i * n + j - 1] - c[4] * u[i * n + j + 1]) / c[0];
            }
    }
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += u[i] * u[i];
    return sum;
}

static struct array a, b, start;
static double *u, *u_bar;
static int n;
static void setup(int size)
{
    n = size;
    a = variables(5 * (size_t)(n * n), -0.3, 0.3);
    b = variables((size_t)(n * n), -1, 1);
    start = variables((size_t)(n * n), -1, 1);
    for (int i = 0; i < n * n; i++)
        a.x[5 * i] += 2;
    u = malloc((size_t)(n * n) * sizeof *u);
    u_bar = malloc((size_t)(n * n) * sizeof *u_bar);
}
static double objective(void)
{
    memcpy(u, start.x, (size_t)(n * n) * sizeof *u);
    return relaxed(n, a.x, b.x, u);
}
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    memcpy(u, start.x, (size_t)(n * n) * sizeof *u);
    memset(u_bar, 0, (size_t)(n * n) * sizeof *u_bar);
    __enzyme_autodiff((void *)relaxed, enzyme_const, n, enzyme_dup, a.x, a.bar, enzyme_dup, b.x, b.bar, enzyme_dup, u, u_bar);
    for (int i = 0; i < n * n; i++)
        start.bar[i] += u_bar[i];
}
