// Sorting by tasks: values move, and their derivatives with them.
#include "../../check.h"
static void merge(double *v, double *w, int n)
{
    int i = 0, j = n / 2, k = 0;
    while (i < n / 2 && j < n)
        w[k++] = v[i] <= v[j] ? v[i++] : v[j++];
    while (i < n / 2)
        w[k++] = v[i++];
    while (j < n)
        w[k++] = v[j++];
    memcpy(v, w, n * sizeof *v);
}
static void sort(double *v, double *w, int n)
{
    if (n < 2)
        return;
#pragma omp task if (n > 8)
    sort(v, w, n / 2);
#pragma omp task if (n > 8)
    sort(v + n / 2, w + n / 2, n - n / 2);
#pragma omp taskwait
    merge(v, w, n);
}
static double f(double *x, int n)
{
    double v[64], w[64], s = 0;
    memcpy(v, x, n * sizeof *v);
#pragma omp parallel
#pragma omp single
    sort(v, w, n);
    for (int i = 0; i < n; i++)
        s += v[i] * v[i] * (i + 1);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 21); }
