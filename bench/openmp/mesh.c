// size: 30000
// Fluxes over the edges of an unstructured mesh of `size` points, added to both ends atomically, three times.
#include "../ad/gradient.h"

enum { STEPS = 3 };

static double flow(const int *ends, const double *weights, const double *start, double *u, double *change, int n, int edges)
{
    double sum = 0.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        u[i] = start[i];
    for (int t = 0; t < STEPS; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            change[i] = 0.0;
#pragma omp parallel for
        for (int k = 0; k < edges; k++) {
            int a = ends[2 * k], b = ends[2 * k + 1];
            double d = u[b] - u[a], flux = weights[k] * d / sqrt(1 + d * d);
#pragma omp atomic
            change[a] += flux;
#pragma omp atomic
            change[b] -= flux;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            u[i] += 0.1 * change[i];
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

static struct array weights, start;
static int *ends, n, edges;
static double *u, *u_bar, *change, *change_bar;
static void setup(int size)
{
    const int distances[3] = {1, 173, 174};
    n = size;
    edges = 3 * n;
    weights = variables((size_t)edges, 0, 1);
    start = variables((size_t)n, -1, 1);
    ends = malloc((size_t)(2 * edges) * sizeof *ends);
    for (int k = 0; k < edges; k++) {
        ends[2 * k] = k / 3;
        ends[2 * k + 1] = (k / 3 + distances[k % 3]) % n;
    }
    u = data((size_t)n, 0, 0);
    u_bar = data((size_t)n, 0, 0);
    change = data((size_t)n, 0, 0);
    change_bar = data((size_t)n, 0, 0);
}
static double objective(void) { return flow(ends, weights.x, start.x, u, change, n, edges); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)flow, enzyme_const, ends, enzyme_dup, weights.x, weights.bar, enzyme_dup, start.x, start.bar, enzyme_dup, u, u_bar, enzyme_dup,
                      change, change_bar, enzyme_const, n, enzyme_const, edges);
}
