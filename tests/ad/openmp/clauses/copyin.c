#include "../../check.h"
static double table[4];
static int offset;
#pragma omp threadprivate(table, offset)
static double f(double *x, int n)
{
    double s = 0;
    offset = n % 3;
    for (int k = 0; k < 4; k++)
        table[k] = x[k] * x[k + 1];
#pragma omp parallel for copyin(table, offset) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += table[(i + offset) % 4] * x[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 17); }
