// num_threads: constants, expressions, more than there are cores, one.
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    double s = 0, y[64];
    int want = n / 4;
#pragma omp parallel for num_threads(3) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
#pragma omp parallel num_threads(want) shared(y)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = sin(x[i]) * x[0];
    }
#pragma omp parallel for num_threads(1) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * x[i];
#pragma omp parallel for num_threads(13) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * y[n - 1 - i];
    return s;
}
/* The team grows from round to round. */
static double growing(double *x, int n)
{
    double v[64], s = 0;
    memcpy(v, x, n * sizeof *v);
    for (int team = 1; team <= 4; team++) {
#pragma omp parallel num_threads(team)
        {
            double factor = 1 + 0.1 * x[team];
#pragma omp for
            for (int i = 0; i < n; i++)
                v[i] = sin(v[i]) * factor;
        }
    }
    for (int i = 0; i < n; i++)
        s += v[i] * v[i];
    return s;
}
static double set_by_call(double *x, int n)
{
    double s = 0;
    int before = omp_get_max_threads();
    omp_set_num_threads(2);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i] * x[i];
    omp_set_num_threads(before);
    return s;
}
GRADIENT(f)
GRADIENT(growing)
GRADIENT(set_by_call)
int main(void) { return CHECK(f, 24) | CHECK(growing, 15) | CHECK(set_by_call, 9); }
