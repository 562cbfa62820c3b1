// Private copies and reductions of arrays whose length varies.
#include "../../check.h"
static double f(double *x, int n)
{
    int m = n / 4;
    double v[m], table[m][2], r[m], s = 0;
    for (int i = 0; i < m; i++) {
        v[i] = x[i];
        table[i][0] = table[i][1] = r[i] = 0;
    }
#pragma omp parallel for firstprivate(v) reduction(+ : s) if (n > 3)
    for (int i = 0; i < n; i++)
        s += v[i % m] * x[i];
#pragma omp parallel private(v)
    {
        for (int i = 0; i < m; i++)
            v[i] = 2 * x[i];
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += v[i % m] * x[i] * x[i];
    }
#pragma omp parallel
    {
#pragma omp for firstprivate(v) reduction(+ : r)
        for (int i = 0; i < n; i++)
            r[i % m] += x[i] * v[(i + 1) % m];
#pragma omp for reduction(+ : table)
        for (int i = 0; i < n; i++)
            table[i % m][i & 1] += x[i] * x[i];
    }
    for (int i = 0; i < m; i++)
        s += r[i] * r[i] * table[i][0] * table[i][1];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 24); }
