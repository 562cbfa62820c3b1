// Springs between random nodes: gather of positions, scatter of forces, explicit time steps, an energy.
#include "../../check.h"
#define NODES 8
#define SPRINGS 14
static double f(double *x, int n)
{
    double pos[NODES], vel[NODES] = {0}, force[NODES];
    memcpy(pos, x, sizeof pos);
    for (int t = 0; t < 5; t++) {
        memset(force, 0, sizeof force);
#pragma omp parallel
        {
            double mine[NODES] = {0};
#pragma omp for nowait
            for (int e = 0; e < SPRINGS; e++) {
                int a = e % NODES, b = (e * 3 + 1) % NODES;
                double stretch = pos[a] - pos[b], k = x[NODES + e % (n - NODES)];
                double pull = k * stretch * (1 + stretch * stretch);
                mine[a] -= pull;
                mine[b] += pull;
            }
            for (int i = 0; i < NODES; i++) {
#pragma omp atomic
                force[i] += mine[i];
            }
#pragma omp barrier
#pragma omp for
            for (int i = 0; i < NODES; i++) {
                vel[i] = 0.95 * vel[i] + 0.1 * force[i];
                pos[i] += 0.1 * vel[i];
            }
        }
    }
    double s = 0;
    for (int i = 0; i < NODES; i++)
        s += pos[i] * pos[i] + vel[i] * vel[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 14); }
