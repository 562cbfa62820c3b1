// Work arrays inside regions: allocated by every thread, per iteration, of variable length, on the stack.
#include "../../check.h"
static double heap(double *x, int n)
{
    double s = 0;
#pragma omp parallel
    {
        double *w = malloc(n * sizeof *w), mine = 0;
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++)
                w[k] = x[i] * x[k] + (k ? 0.5 * w[k - 1] : 0);
            mine += w[n - 1] * w[i];
        }
#pragma omp critical
        s += mine;
        free(w);
    }
    return s;
}
static double each(double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        int m = 1 + i % 4;
        double *w = calloc(m + 1, sizeof *w);
        w[0] = x[i];
        for (int k = 1; k <= m; k++)
            w[k] = sin(w[k - 1]) + x[k];
        s += w[m] * w[0];
        free(w);
    }
    return s;
}
static double variable(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double row[n];
        for (int k = 0; k < n; k++)
            row[k] = cos(x[k] - x[i]);
        y[i] = 0;
        for (int k = 0; k < n; k++)
            y[i] += row[k] * row[n - 1 - k];
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
static double kept(double *x, int n)
{
    double **rows = malloc(n * sizeof *rows), s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        rows[i] = malloc((i + 1) * sizeof **rows);
        for (int k = 0; k <= i; k++)
            rows[i][k] = x[i] * x[k];
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            s += rows[i][k] * rows[n - 1][k];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    return s;
}
/* The last numbers in them overflow, and nobody looks. */
#ifdef PASSES_OFF
#define MUCH 0
#else
#define MUCH 900
#endif
static double overflowing(double *x, int n)
{
    double *w = malloc(n * sizeof *w), s = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            w[i] = x[i] * x[n - 1 - i];
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++) {
            double a[2] = {x[i], w[i] * w[n - 1 - i]};
            s += a[0] * a[1];
            for (int k = 0; k < 2; k++)
                a[k] = exp(MUCH + a[k]) * a[k];
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            w[i] = exp(MUCH + w[i]) * w[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] *= exp(MUCH + x[i]);
    free(w);
    return s;
}
GRADIENT(heap)
GRADIENT(each)
GRADIENT(variable)
GRADIENT(kept)
GRADIENT(overflowing)
int main(void) { return CHECK(heap, 9) | CHECK(each, 20) | CHECK(variable, 11) | CHECK(kept, 10) | CHECK(overflowing, 12); }
