// What runs between two barriers of the reverse sweep may meet on one shadow: loops without barriers, sections, a master beside a loop, whole regions.
#include "../../check.h"
#include <omp.h>
static double loops(double *x, int n)
{
    double a[64], b[64], c[64], s = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            a[i] = x[i] * x[i];
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < n; i++)
            b[i] = sin(x[i]);
#pragma omp for schedule(dynamic) nowait
        for (int i = n - 1; i >= 0; i--)
            c[i] = exp(-x[i]);
    }
    for (int i = 0; i < n; i++)
        s += a[i] * b[i] * c[i];
    return s;
}
static double sections(double *x, int n)
{
    double a[64], b[64], s = 0;
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < n; i++)
            a[i] = x[i] * x[i];
#pragma omp section
        for (int i = 0; i < n; i++)
            b[i] = x[n - 1 - i] * 2;
    }
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
static double beside(double *x, int n)
{
    double a[64], m = 0, s = 0;
#pragma omp parallel
    {
#pragma omp master
        for (int i = 0; i < n; i++)
            m += x[i] * x[i];
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = sin(x[i]);
    }
    for (int i = 0; i < n; i++)
        s += a[i] * a[i];
    return s * m;
}
static double everybody(double *x, int n)
{
    double part[64] = {0}, s = 0;
    int used = 1;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        double mine = 0;
        /* all read all, each counts its share */
        for (int i = 0; i < n; i++)
            mine += x[i] * x[(i + 1) % n];
        part[me] = mine / all;
#pragma omp master
        used = all;
    }
    for (int t = 0; t < used; t++)
        s += part[t];
    return s * s;
}
GRADIENT(loops)
GRADIENT(sections)
GRADIENT(beside)
GRADIENT(everybody)
int main(void) { return CHECK(loops, 48) | CHECK(sections, 37) | CHECK(beside, 40) | CHECK(everybody, 20); }
