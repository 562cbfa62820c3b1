// `schedule(runtime)`: who runs what shows, and must be what is set. With a static schedule the result is well defined, with others only where it does not show.
#include "../../check.h"
#include <omp.h>
static double weights(double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(3) reduction(+ : s)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; i++)
            s += (1 + me) * x[i] * x[i];
    }
    return s;
}
static double parts(double *x, int n)
{
    double part[64] = {0}, s = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; i++)
            part[me] += sin(x[i]) * x[(i + 1) % n];
    }
    for (int k = 0; k < 64; k++)
        s += part[k];
    return s;
}
static double scratch(double *x, int n)
{
    double s = 0;
#pragma omp parallel reduction(+ : s)
    {
        double *w = malloc(n * sizeof *w);
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++)
                w[k] = x[k] * x[i];
            for (int k = 1; k < n; k++)
                s += w[k] * w[k - 1];
        }
        free(w);
    }
    return s;
}
static double carried(double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
    {
        double run = 0.3;
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; i++) {
            run = sin(run + x[i]);
            s += run * x[i];
        }
    }
    return s;
}
/* What a thread sums up, squared: it shows whose iterations are whose. */
static double squares(double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(3)
    {
        double mine = 0;
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < n; i++)
            mine += x[i] * x[i];
#pragma omp critical
        s += mine * mine;
    }
    return s;
}
static double squares_of_nest(double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(3)
    {
        double mine = 0;
#pragma omp for collapse(2) nowait
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 3; j++)
                mine += x[i] * x[j];
#pragma omp critical
        s += mine * mine;
    }
    return s;
}
static double last_of_all(double *x, int n)
{
    double last = 0, part[64] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(runtime) lastprivate(last)
        for (int i = 0; i < n; i++) {
            last = x[i] * x[0];
            part[omp_get_thread_num()] += last;
        }
    }
    for (int k = 0; k < 64; k++)
        last += part[k] * part[0] * 0;
    return last * last;
}
GRADIENT(squares)
GRADIENT(squares_of_nest)
GRADIENT(last_of_all)
GRADIENT(weights)
GRADIENT(parts)
GRADIENT(scratch)
GRADIENT(carried)
int main(void)
{
    int bad = 0;
    omp_set_dynamic(0);
    bad |= CHECK(parts, 13) | CHECK(scratch, 11) | CHECK(last_of_all, 7) | CHECK(squares_of_nest, 7);
    for (int chunk = 0; chunk < 4; chunk++) {
        omp_set_schedule(omp_sched_static, chunk);
        bad |= CHECK(weights, 17) | CHECK(carried, 13) | CHECK(parts, 13) | CHECK(squares, 11) | CHECK(last_of_all, 3);
    }
    omp_set_schedule(omp_sched_guided, 2);
    bad |= CHECK(parts, 17) | CHECK(scratch, 13) | CHECK(last_of_all, 7);
    omp_set_schedule(omp_sched_dynamic, 3);
    bad |= CHECK(parts, 17) | CHECK(scratch, 13) | CHECK(last_of_all, 7);
    return bad;
}
