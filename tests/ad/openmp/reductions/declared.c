// Reductions that the user declares.
#include "../../check.h"
typedef struct { double x, y; } pair;
static pair add(pair a, pair b) { return (pair){a.x + b.x, a.y + b.y}; }
#pragma omp declare reduction(add : pair : omp_out = add(omp_out, omp_in)) initializer(omp_priv = (pair){0, 0})
#pragma omp declare reduction(longest : double : omp_out = fabs(omp_in) > fabs(omp_out) ? omp_in : omp_out) initializer(omp_priv = 0)
static double centre(double *x, int n)
{
    pair sum = {0, x[0]};
#pragma omp parallel for reduction(add : sum)
    for (int i = 0; i < n; i++)
        sum = add(sum, (pair){x[i] * x[i], cos(x[i])});
    return sum.x * sum.y;
}
static double farthest(double *x, int n)
{
    double best = 0;
#pragma omp parallel for reduction(longest : best)
    for (int i = 0; i < n; i++)
        if (fabs(x[i] - 1) > fabs(best))
            best = x[i] - 1;
    return best * best;
}
GRADIENT(centre)
GRADIENT(farthest)
int main(void) { return CHECK(centre, 17) | CHECK(farthest, 12); }
