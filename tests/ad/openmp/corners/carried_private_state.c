// State that a thread carries from one of its iterations to the next, in a way that every partition gives the same sum.
#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0;
#pragma omp parallel reduction(+ : s)
    {
        double last = 0;
        int where = -1;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            /* x[i-1]^2, remembered if this thread did the iteration before, else computed */
            double before = i == 0 ? 0 : where == i - 1 ? last : x[i - 1] * x[i - 1];
            double here = x[i] * x[i];
            s += before * here;
            last = here;
            where = i;
        }
    }
    return s;
}
static double pointer_walk(double *x, int n)
{
    double s = 0;
#pragma omp parallel reduction(+ : s)
    {
        const double *p = NULL;
        int at = -2;
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < n; i++) {
            p = at == i - 1 ? p + 1 : x + i;
            at = i;
            s += *p * *p * x[0];
        }
    }
    return s;
}
GRADIENT(f)
GRADIENT(pointer_walk)
int main(void) { return CHECK(f, 22) | CHECK(pointer_walk, 19); }
