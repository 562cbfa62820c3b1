// Pairs once, forces to both by atomics, or to private copies.
#include "../../check.h"
#include <omp.h>
static double force_at(double d) { return d / (0.1 + d * d); }
static double by_atomics(double *x, int n)
{
    double force[64] = {0}, s = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double w = force_at(x[i] - x[j]);
#pragma omp atomic
            force[i] += w;
#pragma omp atomic
            force[j] -= w;
        }
    for (int i = 0; i < n; i++)
        s += force[i] * force[i] * x[i];
    return s;
}
static double by_copies(double *x, int n)
{
    int most = omp_get_max_threads();
    double(*copy)[64] = calloc(most, sizeof *copy), s = 0;
#pragma omp parallel
    {
        double *mine = copy[omp_get_thread_num()];
#pragma omp for schedule(static, 1)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                double w = force_at(x[i] - x[j]);
                mine[i] += w;
                mine[j] -= w;
            }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++) {
            double f = 0;
            for (int t = 0; t < most; t++)
                f += copy[t][i];
            s += f * f * x[i];
        }
    }
    free(copy);
    return s;
}
GRADIENT(by_atomics)
GRADIENT(by_copies)
int main(void) { return CHECK(by_atomics, 13) | CHECK(by_copies, 13); }
