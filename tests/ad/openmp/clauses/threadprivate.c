// Scratch that every thread keeps for itself between regions.
#include "../../check.h"
static double scratch[8], weight = 1;
#pragma omp threadprivate(scratch, weight)
static double inner(const double *x, int i, int n)
{
    for (int k = 0; k < 8; k++)
        scratch[k] = x[(i + k) % n] * weight;
    double s = 0;
    for (int k = 0; k < 8; k++)
        s += scratch[k] * scratch[7 - k];
    return s;
}
static double f(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
    weight = x[0];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = inner(x, i, n);
    for (int i = 0; i < n; i++)
        s += sin(y[i]);
    return s;
}
/* More threads than usual, and what they had is read first: their shadows must be zero again in the next call. */
static double kept = 1;
#pragma omp threadprivate(kept)
static double larger_teams(double *x, int n)
{
    double s = 0;
    int threads = n / 2;
#pragma omp parallel num_threads(threads) reduction(+ : s)
    {
        double before = kept;
#pragma omp for
        for (int i = 0; i < n; i++) {
            s += (kept + before) * x[i] * x[(i + 1) % n];
            kept = 1;
        }
        kept = x[0];
        kept = 1 + 0 * kept;
    }
    return s;
}
GRADIENT(f)
GRADIENT(larger_teams)
int main(void) { return CHECK(f, 18) | CHECK(larger_teams, 12) | CHECK(larger_teams, 8) | CHECK(larger_teams, 12); }
