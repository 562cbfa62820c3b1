// A task in a task shares a variable of the outer one, and one of the function around both; also where nothing of it is active.
#include "../../check.h"
static double pair(double v, double *x)
{
    double w[2] = {x[0], x[1]}, s = v;
#pragma omp parallel
#pragma omp single nowait
    {
#pragma omp task if (s < 100)
        {
            double q = 0;
#pragma omp task shared(q)
            q = sin(v) * x[1];
            w[1] += 0.1 * v;
#pragma omp taskwait
            w[0] -= 0.5 * q;
#pragma omp critical(sum)
            s += w[1] * v;
        }
#pragma omp taskwait
    }
    v = 0.5 * v + 0.3 * s + w[0];
    return sin(v);
}
static double given[2] = {0.25, 0.5};
static double f(double *x, int n)
{
    double total = 0;
    given[1] = 0.5 + 0.125 * n;
    for (int i = 0; i + 1 < n; i++)
        total += pair(x[i], x + i);
    return total * pair(x[0] * x[1], x) * pair(0.3 * n, given);
}
GRADIENT(f)
int main(void) { return CHECK(f, 6); }
