#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
        s += x[i] * x[i] * x[0];
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 12); }
