// What every thread does once shows how many there are, also beside constructs that have no parallel form.
#include "../../check.h"
#include <omp.h>
typedef struct { double sum, count; } total;
#pragma omp declare reduction(both : total : omp_out.sum += omp_in.sum, omp_out.count += omp_in.count)
static double declared(double *x, int n)
{
    total t = {0, x[n - 1]};
#pragma omp parallel reduction(both : t)
    {
        t.sum += x[0] * x[1];
        t.count += 1;
    }
    return t.sum * t.count;
}
static double locked(double *x, int n)
{
    double s = x[n - 1];
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        omp_set_lock(&lock);
        s += x[0] * x[1];
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return s * s;
}
static double beside_ordered(double *x, int n)
{
    double s = 0, count = 0, each = 0, part[64] = {0};
#pragma omp parallel reduction(+ : each)
    {
        each += x[1];
        part[omp_get_thread_num()] = x[2] * omp_get_num_threads();
#pragma omp critical
        count += x[0];
#pragma omp for ordered
        for (int i = 0; i < n; i++) {
            double v = sin(x[i]);
#pragma omp ordered
            s = s * 0.5 + v;
        }
    }
    for (int i = 0; i < 64; i++)
        s += part[i] * part[i];
    return s * count + each * each;
}
static double beside_scan(double *x, int n)
{
    /* What was there before the loop counts. */
    double y[64], each = 0, s = x[1], u = x[2], t = 0;
#pragma omp parallel reduction(+ : each)
    {
        each += x[0];
#pragma omp for reduction(inscan, + : s)
        for (int i = 0; i < n; i++) {
            s += x[i] * x[i];
#pragma omp scan inclusive(s)
            y[i] = s;
        }
#pragma omp for reduction(inscan, + : u)
        for (int i = 0; i < n; i++) {
            y[i] *= u;
#pragma omp scan exclusive(u)
            u += sin(x[i]);
        }
    }
    for (int i = 0; i < n; i++)
        t += y[i] * y[i];
    return t * each + s;
}
GRADIENT(declared)
GRADIENT(locked)
GRADIENT(beside_ordered)
#ifndef __clang__
GRADIENT(beside_scan)
#endif
int main(void)
{
    int wrong = CHECK(declared, 5) | CHECK(locked, 6) | CHECK(beside_ordered, 23);
    /* What clang makes of the primal is wrong with two threads and more. */
#ifndef __clang__
    wrong |= CHECK(beside_scan, 31);
#endif
    return wrong;
}
