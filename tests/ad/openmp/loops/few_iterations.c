// Fewer iterations than threads, and none at all.
#include "../../check.h"
static double f(double *x, int m)
{
    double s = x[0], p = 1, last = x[0], biggest = x[0] * 0.5;
#pragma omp parallel for reduction(+ : s) reduction(* : p) reduction(max : biggest) lastprivate(last)
    for (int i = 0; i < m; i++) {
        s += x[i] * x[i];
        p *= 1 + x[i];
        biggest = x[i] > biggest ? x[i] : biggest;
        last = x[i];
    }
    /* last is undefined after no iterations */
    return s * p + biggest * biggest + (m ? last * s : 0);
}
static double none(double *x, int n)
{
    double y[8] = {x[0], x[1] * x[0]}, s = 0;
    for (int round = 0; round < 4; round++) {
#pragma omp parallel for
        for (int i = n; i < round; i++)
            y[i] = x[0];
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 5)
        for (int i = 0; i < round - 1; i++)
            s += y[i] * x[round - 1];
    }
    return s + y[0];
}
GRADIENT(f)
GRADIENT(none)
int main(void) { return CHECK(f, 1) | CHECK(f, 2) | CHECK(f, 3) | CHECK(f, 7) | CHECK(none, 4); }
