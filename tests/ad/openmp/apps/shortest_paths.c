// Bellman-Ford with min, rounds until nothing changes.
#include "../../check.h"
#define V 8
static double f(double *x, int n)
{
    double d[V], e[V];
    int changed = 1;
    for (int v = 0; v < V; v++)
        d[v] = v ? 1e9 : 0;
    for (int round = 0; round < V && changed; round++) {
        changed = 0;
#pragma omp parallel for reduction(|| : changed)
        for (int v = 0; v < V; v++) {
            double best = d[v];
            for (int u = 0; u < V; u++) {
                if (u == v || (u * 5 + v * 3) % 4 == 0)
                    continue;
                double via = d[u] + x[(u * V + v) % n];
                if (via < best) {
                    best = via;
                    changed = 1;
                }
            }
            e[v] = best;
        }
        memcpy(d, e, sizeof d);
    }
    double s = 0;
    for (int v = 0; v < V; v++)
        s += d[v] * d[v];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 61); }
