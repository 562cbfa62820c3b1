// Many small loops one after the other, in functions of their own.
#include "../../check.h"
static void scale(double *v, double by, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] *= by;
}
static double norm(const double *v, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += v[i] * v[i];
    return sqrt(s);
}
static void apply(const double *v, double *w, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] = 2 * v[i] - 0.5 * (i ? v[i - 1] : 0) - 0.5 * (i + 1 < n ? v[i + 1] : 0) + 0.1 * i * v[i];
}
static double power_method(double *x, int n)
{
    double *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w), value = 0;
    memcpy(v, x, n * sizeof *v);
    for (int k = 0; k < 8; k++) {
        scale(v, 1 / norm(v, n), n);
        apply(v, w, n);
        value = norm(w, n);
        double *t = v;
        v = w;
        w = t;
    }
    value += v[1] * v[n - 1];
    free(v);
    free(w);
    return value;
}
GRADIENT(power_method)
int main(void) { return CHECK(power_method, 13); }
