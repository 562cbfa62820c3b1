// The place of a minimum, found by threads and settled in a critical section.
#include "../../check.h"
static double closest(double *x, int n)
{
    double best = 1e300;
    int place = -1;
#pragma omp parallel
    {
        double mine = 1e300;
        int where = -1;
#pragma omp for nowait
        for (int i = 1; i < n; i++) {
            double d = (x[i] - x[0]) * (x[i] - x[0]) + 0.1 * sin(3.0 * i);
            if (d < mine) {
                mine = d;
                where = i;
            }
        }
#pragma omp critical
        if (mine < best) {
            best = mine;
            place = where;
        }
    }
    return best * x[place];
}
GRADIENT(closest)
int main(void) { return CHECK(closest, 26); }
