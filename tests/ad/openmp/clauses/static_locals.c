// Static locals in clauses, and of threads: derivatives share them with the function.
#include "../../check.h"
static double smooth(double v)
{
    static double last;
#pragma omp threadprivate(last)
    last = 0.5 * v;
    return last * v;
}
static double f(double *x, int n)
{
    static double sum, table[3];
    sum = 0;
    for (int k = 0; k < 3; k++)
        table[k] = x[k] * x[k];
#pragma omp parallel for default(none) shared(x, n, table) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += table[i % 3] * smooth(x[i]);
    return sum;
}
GRADIENT(f)
int main(void) { return CHECK(f, 17); }
