// An O(n) call that does not depend on the iteration, inside a parallel loop (it must leave it, or at least come out right).
#include "../../check.h"
static double magnitude(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * v[i];
    return sqrt(s);
}
static void normalise(double *restrict out, const double *restrict in, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = in[i] / magnitude(in, n);
}
static double f(double *x, int n)
{
    double y[64], s = 0;
    normalise(y, x, n);
    for (int i = 0; i < n; i++)
        s += y[i] * y[i] * i;
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 21); }
