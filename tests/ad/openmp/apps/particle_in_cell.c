// Charge to the grid by atomics, field on the grid, push of the particles, several steps.
#include "../../check.h"
#define CELLS 8
static double f(double *x, int n)
{
    int count = n / 2;
    double pos[32], vel[32], rho[CELLS], field[CELLS], e = 0;
    memcpy(pos, x, count * sizeof *pos);
    memcpy(vel, x + count, count * sizeof *vel);
    for (int step = 0; step < 3; step++) {
#pragma omp parallel
        {
#pragma omp for
            for (int c = 0; c < CELLS; c++)
                rho[c] = -1;
#pragma omp for
            for (int p = 0; p < count; p++) {
                double at = pos[p] - CELLS * floor(pos[p] / CELLS);
                int c = (int)at % CELLS;
                double w = at - c;
#pragma omp atomic
                rho[c] += 1 - w;
#pragma omp atomic
                rho[(c + 1) % CELLS] += w;
            }
#pragma omp single
            {
                double sum = 0;
                for (int c = 0; c < CELLS; c++) {
                    sum += rho[c];
                    field[c] = 0.1 * sum;
                }
            }
#pragma omp for
            for (int p = 0; p < count; p++) {
                double at = pos[p] - CELLS * floor(pos[p] / CELLS);
                int c = (int)at % CELLS;
                double w = at - c;
                vel[p] += 0.1 * ((1 - w) * field[c] + w * field[(c + 1) % CELLS]);
                pos[p] += 0.1 * vel[p];
            }
        }
    }
#pragma omp parallel for reduction(+ : e)
    for (int p = 0; p < count; p++)
        e += vel[p] * vel[p] + sin(pos[p]);
    return e;
}
GRADIENT(f)
int main(void) { return CHECK(f, 24); }
