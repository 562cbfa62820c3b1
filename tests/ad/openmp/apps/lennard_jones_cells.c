/* cell lists built serially, forces over cells in parallel */
#include "../../check.h"
#define CELLS 5
static double f(double *x, int n)
{
    int head[CELLS], next[64];
    double box = CELLS, force[64] = {0}, pot = 0;
    for (int c = 0; c < CELLS; c++) head[c] = -1;
    for (int p = 0; p < n; p++) {
        double at = 1.7 * p + x[p];
        int c = (int)(at - box * floor(at / box));
        next[p] = head[c];
        head[c] = p;
    }
    #pragma omp parallel for reduction(+:pot) schedule(dynamic, 1)
    for (int c = 0; c < CELLS; c++)
        for (int p = head[c]; p >= 0; p = next[p])
            for (int dc = -1; dc <= 1; dc++)
                for (int q = head[(c + dc + CELLS) % CELLS]; q >= 0; q = next[q]) {
                    if (q == p) continue;
                    double d = 1.7 * (p - q) + x[p] - x[q];
                    d -= box * rint(d / box);
                    double r2 = d * d + 0.3, i6 = 1 / (r2 * r2 * r2);
                    pot += 2 * (i6 * i6 - i6);
                    force[p] += 24 * (2 * i6 * i6 - i6) * d / r2;
                }
    double s = pot;
    for (int p = 0; p < n; p++) s += 1e-4 * force[p] * force[p];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 14); }
