#include "../../check.h"
static double f(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(4)
        for (int i = 0; i < n; i++)
            y[i] = exp(-x[i] * x[0]);
#pragma omp taskloop num_tasks(3) shared(y)
        for (int i = 0; i < n; i++)
            y[i] *= x[n - 1 - i];
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double reduced(double *x, int n)
{
    double s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s) grainsize(3)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s * s;
}
/* Reductions of all kinds, and what the last iteration leaves. */
typedef struct {
    double value, square;
} seen;
static double copies_of_chunks(double *x, int n)
{
    double most = -1e300, p = 1, bins[3] = {0}, factor = x[0], s = 0;
    seen last = {0, 0};
    int count = 0, i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(2) reduction(+ : bins, count) reduction(max : most) reduction(* : p) lastprivate(last)
        for (int k = 0; k < n; k++) {
            bins[k % 3] += sin(x[k]);
            count++;
            most = fmax(most, x[k] * (5 - k));
            p *= 1 + 0.1 * x[k];
            last.value = x[k];
            last.square = x[k] * x[k];
        }
#pragma omp taskloop num_tasks(4) reduction(- : s) firstprivate(factor) lastprivate(factor, i)
        for (i = n - 1; i >= 0; i -= 2) {
            s -= x[i] * factor;
            if (i < 2)
                factor = 4 * x[i];
        }
    }
    return bins[0] * bins[1] + bins[2] * p + most + last.value * last.square + count + s * factor + i;
}
/* Nothing to do: all stays as it was. */
static double empty(double *x, int n)
{
    double s = x[0];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s)
    for (int i = n; i < 0; i++)
        s += x[i];
    return s * x[1];
}
GRADIENT(f)
GRADIENT(reduced)
GRADIENT(copies_of_chunks)
GRADIENT(empty)
int main(void)
{
    return CHECK(f, 17) | CHECK(reduced, 14) | CHECK(copies_of_chunks, 13) | CHECK(copies_of_chunks, 1) | CHECK(empty, 4);
}
