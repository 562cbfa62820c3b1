// OpenMP lets the loop variable be a pointer.
#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0;
    const double *p;
#pragma omp parallel for reduction(+ : s)
    for (p = x; p < x + n; p++)
        s += *p * *p * *x;
#pragma omp parallel for reduction(+ : s)
    for (double *q = x; q < x + n - 1; q += 2)
        s += sin(q[0] * q[1]);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 17); }
