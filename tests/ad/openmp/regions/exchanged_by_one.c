/* Pointers that one thread sets for all: buffers that it exchanges after each step, or allocates. Between two barriers all threads have the same. */
#include "../../check.h"
#include <omp.h>
static double exchanged(double *x, int n)
{
    double a[64], b[64], *u = a, *v = b, s = 0;
    memcpy(a, x, sizeof(double) * (size_t)n);
    memcpy(b, x, sizeof(double) * (size_t)n);
#pragma omp parallel
    for (int t = 0; t < 5; t++) {
#pragma omp for
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
#pragma omp single
        {
            double *other = u;
            u = v;
            v = other;
        }
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    return s;
}
/* Steps in which no thread has anything to do, and steps of which only some threads have a part. */
static double fewer_and_fewer(double *x, int n)
{
    double a[64], b[64], *u = a, *v = b, s = 0;
    memcpy(a, x, sizeof(double) * (size_t)n);
    memcpy(b, x, sizeof(double) * (size_t)n);
#pragma omp parallel
    for (int last = n - 1; last > -3; last -= 4) {
#pragma omp for
        for (int i = 1; i < last; i++)
            v[i] = sin(u[i - 1]) * u[i + 1] + u[i];
#pragma omp single
        {
            double *other = u;
            u = v;
            v = other;
        }
    }
    for (int i = 0; i < n; i++)
        s += u[i] * v[i];
    return s;
}
/* Each thread has a part of one block, which one thread allocates. */
static double allocated_by_one(double *x, int n)
{
    double *forces = calloc((size_t)n, sizeof *forces), *parts = NULL, s = 0;
    int threads = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            threads = omp_get_num_threads();
            parts = calloc((size_t)threads * (size_t)n, sizeof *parts);
        }
        double *mine = parts + (size_t)omp_get_thread_num() * (size_t)n;
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                double d = x[i] - x[j], f = d * exp(-d * d);
                mine[i] += f;
                mine[j] -= f;
            }
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int t = 0; t < threads; t++)
                forces[i] += parts[(size_t)t * (size_t)n + (size_t)i];
    }
    for (int i = 0; i < n; i++)
        s += forces[i] * forces[i] * (i + 1);
    free(forces);
    free(parts);
    return s;
}
/* The pointer leads somewhere else in each half of a step. */
static double two_roles(double *x, int n)
{
    double a[64], b[64], *at = a, s = 0;
    memcpy(a, x, sizeof(double) * (size_t)n);
    memcpy(b, x, sizeof(double) * (size_t)n);
#pragma omp parallel
    for (int t = 0; t < 3; t++) {
#pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = at[i] * at[(i + 1) % n] + 0.3 * b[i];
#pragma omp single
        at = b;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = 0.5 * (at[i] + at[(i + n - 1) % n]);
#pragma omp single
        at = a;
    }
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
GRADIENT(exchanged)
GRADIENT(fewer_and_fewer)
GRADIENT(allocated_by_one)
GRADIENT(two_roles)
int main(void)
{
    return CHECK(exchanged, 40) | CHECK(exchanged, 4) | CHECK(exchanged, 2) | CHECK(fewer_and_fewer, 37) | CHECK(allocated_by_one, 23) | CHECK(two_roles, 31);
}
