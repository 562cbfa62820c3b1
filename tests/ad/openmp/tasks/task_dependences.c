// Tasks in an order that depend clauses give: their serial order is one that they allow.
#include "../../check.h"
static double f(double *x, int n)
{
    double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
        a = x[0] * x[1];
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
        b = sin(a) * x[n - 1];
#pragma omp task depend(in : a) depend(out : c) shared(a, c)
        c = a * a;
#pragma omp task depend(in : b, c) depend(inout : a) shared(a, b, c)
        a += b * c;
    }
    return a;
}
GRADIENT(f)
int main(void) { return CHECK(f, 5); }
