// Loops around worksharing that threads leave together, with sums that are made by atomic additions in functions; and loops in loops, each with barriers.
#include "../../check.h"
struct grid {
    int n;
    double *u;
    const double *f;
};
static void sweep(struct grid *g, int colour)
{
#pragma omp for schedule(static)
    for (int i = 1; i < g->n - 1; i++)
        for (int j = 1 + ((i + colour) & 1); j < g->n - 1; j += 2) {
            double *p = g->u + i * g->n + j;
            *p += 1.2 * (0.25 * (p[-1] + p[1] + p[-g->n] + p[g->n] + g->f[i * g->n + j]) - *p);
        }
}
static double residual(const struct grid *g, double *out)
{
#pragma omp single
    *out = 0;
    double own = 0;
#pragma omp for nowait
    for (int i = 1; i < g->n - 1; i++)
        for (int j = 1; j < g->n - 1; j++) {
            const double *p = g->u + i * g->n + j;
            double r = p[-1] + p[1] + p[-g->n] + p[g->n] - 4 * p[0];
            own += r * r;
        }
#pragma omp atomic
    *out += own;
#pragma omp barrier
    return *out;
}
static double relax(double *f, int size)
{
    int n = 3;
    while ((n + 1) * (n + 1) <= size)
        n++;
    struct grid g = {n, calloc(size, sizeof(double)), f};
    double norm = 0, sum = 0;
#pragma omp parallel
    {
        double r = 1;
        for (int k = 0; k < 12 && r > 1e-9; k++) {
            sweep(&g, 0);
            sweep(&g, 1);
            if (k % 4 == 3)
                r = residual(&g, &norm);
        }
#pragma omp for reduction(+ : sum)
        for (int k = 0; k < n * n; k++)
            sum += g.u[k] * g.u[k] * (1 + k % 3);
    }
    free(g.u);
    return sum + 0.1 * norm;
}
/* What is behind the last barrier of a step runs together with the start of the next. */
static double in_turn(double *x, int n)
{
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = b[i] = 1 + 0.1 * i;
        for (int t = 0; t < 3; t++) {
            for (int k = 0; k < 2; k++) {
#pragma omp for nowait
                for (int i = 0; i < n; i++)
                    a[i] += 0.1 * x[i] * a[i];
#pragma omp barrier
            }
#pragma omp barrier
#pragma omp for nowait
            for (int i = 0; i < n; i++)
                b[i] += 0.1 * x[n - 1 - i] * b[i];
        }
    }
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    free(a);
    free(b);
    return sum;
}
GRADIENT(relax)
GRADIENT(in_turn)
int main(void)
{
    return CHECK(relax, 49) || CHECK(in_turn, 37);
}
