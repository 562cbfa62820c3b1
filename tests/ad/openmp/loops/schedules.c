// Every schedule, with and without chunks.
#include "../../check.h"
#include <omp.h>
static double statics(double *x, int n)
{
    double s = 0;
#pragma omp parallel for schedule(static) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += sin(x[i]) * x[i];
#pragma omp parallel for schedule(static, 1) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[(i + 1) % n];
#pragma omp parallel for schedule(static, 3) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += cos(x[i]) * x[0];
    return s;
}
static double dynamics(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++)
        y[i] = exp(-y[i]) + x[n - 1 - i];
#pragma omp parallel for schedule(nonmonotonic : dynamic, 2) reduction(+ : s)
    for (int i = 1; i < n; i++)
        s += y[i] * y[i - 1];
    return s;
}
static double guideds(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < n; i++) {
        double t = x[i];
        for (int k = 0; k <= i % 5; k++)
            t = sin(t) + 0.5 * x[k];
        y[i] = t;
    }
#pragma omp parallel for schedule(guided, 3) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double others(double *x, int n)
{
    double y[64], s = 0;
    omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < n; i++)
        y[i] = tanh(x[i]);
#pragma omp parallel for schedule(runtime) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += y[i] * x[i];
#pragma omp parallel for schedule(monotonic : dynamic, 2) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += 0.5 * y[i] * y[i];
    return s;
}
GRADIENT(statics)
GRADIENT(dynamics)
GRADIENT(guideds)
GRADIENT(others)
int main(void) { return CHECK(statics, 23) | CHECK(dynamics, 31) | CHECK(guideds, 19) | CHECK(others, 17); }
