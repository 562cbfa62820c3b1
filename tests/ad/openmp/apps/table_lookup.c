// Cross sections by binary search and interpolation, as in transport codes: reads anywhere in a shared table.
#include "../../check.h"
#define GRID 16
static double cross_section(const double *grid, const double *table, double energy)
{
    int lo = 0, hi = GRID - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (grid[mid] > energy)
            hi = mid;
        else
            lo = mid;
    }
    double t = (energy - grid[lo]) / (grid[hi] - grid[lo]);
    return (1 - t) * table[lo] + t * table[hi];
}
static double f(double *x, int n)
{
    double grid[GRID], s = 0;
    for (int i = 0; i < GRID; i++)
        grid[i] = i / (double)(GRID - 1);
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 8)
    for (int k = 0; k < 100; k++) {
        double energy = 0.5 + 0.4 * sin(0.37 * k) * x[GRID];
        s += cross_section(grid, x, energy) * (1 + k % 3);
    }
    (void)n;
    return s * s * 1e-3;
}
GRADIENT(f)
int main(void) { return CHECK(f, GRID + 1); }
