// A region in a function that calls itself: what its threads keep is kept for each call. And one that threads call, which adds to memory of all.
#include "../../check.h"
static double levels(const double *x, double *u, int n, int depth)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double old = u[i];
        u[i] = sin(old) * x[i] + 0.1 * depth;
        s += u[i] * old;
    }
    if (depth > 0 && s < 1e6)
        s += 0.5 * levels(x, u, n, depth - 1) * u[depth];
    return s;
}
static double nested(double *x, int n)
{
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = x[i] * x[i];
    double s = levels(x, u, n, 3);
    free(u);
    return s;
}
static double tree(const double *x, int n, int from, int depth)
{
    if (depth == 0)
        return x[from % n] * sin(x[(from * 3 + 1) % n]);
    return tree(x, n, 2 * from + 1, depth - 1) * 0.7 + x[0] * tree(x, n, 2 * from + 2, depth - 1);
}
static double forest(double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
    for (int i = 0; i < n; i++)
        s += tree(x, n, i, 4) * x[i];
    return s;
}
GRADIENT(nested)
GRADIENT(forest)
int main(void) { return CHECK(nested, 17) | CHECK(forest, 11); }
