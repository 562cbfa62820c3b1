/* smooth histogram, three ways: atomic, critical, private copies merged */
#include "../../check.h"
#include <omp.h>
#define BINS 12
static int place(double v, double *part)
{
    double at = (v - 0.5) * BINS;
    int b = (int)at;
    if (b < 0) b = 0;
    if (b > BINS - 2) b = BINS - 2;
    *part = at - b;
    return b;
}
static double loss(const double *h)
{
    double s = 0;
    for (int b = 0; b < BINS; b++) s += h[b] * h[b] * (1 + 0.1 * b);
    return s;
}
static double by_atomic(double *x, int n)
{
    double h[BINS] = { 0 };
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double part;
        int b = place(x[i], &part);
        #pragma omp atomic
        h[b] += 1 - part;
        #pragma omp atomic
        h[b + 1] += part;
    }
    return loss(h);
}
static double by_copies(double *x, int n)
{
    double h[BINS] = { 0 };
    #pragma omp parallel
    {
        double mine[BINS];
        memset(mine, 0, sizeof mine);
        #pragma omp for nowait
        for (int i = 0; i < n; i++) {
            double part;
            int b = place(x[i], &part);
            mine[b] += 1 - part;
            mine[b + 1] += part * part;
        }
        #pragma omp critical (merge)
        for (int b = 0; b < BINS; b++) h[b] += mine[b];
    }
    return loss(h);
}
static double by_threads(double *x, int n)
{
    double h[BINS] = { 0 };
    int teams = omp_get_max_threads();
    double *all = calloc((size_t)teams * BINS, sizeof *all);
    #pragma omp parallel
    {
        double *mine = all + omp_get_thread_num() * BINS;
        #pragma omp for
        for (int i = 0; i < n; i++) {
            double part;
            int b = place(x[i], &part);
            mine[b] += 1 - part;
            mine[b + 1] += part;
        }
        #pragma omp for
        for (int b = 0; b < BINS; b++)
            for (int t = 0; t < teams; t++) h[b] += all[t * BINS + b];
    }
    free(all);
    return loss(h);
}
GRADIENT(by_atomic)
GRADIENT(by_copies)
GRADIENT(by_threads)
int main(void) { return CHECK(by_atomic, 37) | CHECK(by_copies, 37) | CHECK(by_threads, 37); }
