// Reductions that are set, not gone on with: what was there before counts, also where one thread runs the construct.
#include "../../check.h"
static double in_order(double *x, int n)
{
    double s = 10 * x[0];
#pragma omp parallel for ordered reduction(+ : s) num_threads(1)
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        s = s * 0.5 + x[i] * x[i];
    }
    return s * s;
}
GRADIENT(in_order)
static double inner_team(double *x, int n)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) {
        double s = 10 * x[0], best[2] = {x[1], 0.1}, all[2][2] = {{x[2], 1}, {1, 1}};
#pragma omp parallel num_threads(1) reduction(+ : s, all) reduction(max : best)
        {
            double q = 0;
#pragma omp for
            for (int k = 0; k < 3; k++)
                q += x[i] * k;
            s = q;
            best[0] = x[i];
            best[1] = 0.3 * x[i];
            all[0][0] = s * 2;
            all[1][1] += q;
        }
        total += s * s + best[0] * best[1] + all[0][0] * all[1][1];
    }
    return total;
}
GRADIENT(inner_team)
int main(void) { return CHECK(in_order, 6) + CHECK(inner_team, 7); }
