/* The library's qsort on integers (an order by keys), and a hand-written quicksort on active doubles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void quicksort(double *v, int n)
{
    if (n < 2)
        return;
    double pivot = v[n / 2];
    int i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            double t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    quicksort(v, j + 1);
    quicksort(v + i, n - i);
}

double quantiles(const double *x, const int *ids, int n)
{
    double v[12];
    int order[12];
    for (int i = 0; i < n; i++) {
        v[i] = x[i] * x[i];
        order[i] = ids[i];
    }
    qsort(order, n, sizeof order[0], by_value);
    quicksort(v, n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * order[i];
    return s;
}

int main(void)
{
    double x[9], g[9] = {0};
    int ids[9] = {5, 1, 9, 4, 7, 2, 8, 3, 6};
    for (int i = 0; i < 9; i++)
        x[i] = sin(3.0 * i + 1);
    __enzyme_autodiff((void *)quantiles, enzyme_dup, x, g, enzyme_const, ids, enzyme_const, 9);
    for (int i = 0; i < 9; i++) {
        int rank = 1;
        for (int j = 0; j < 9; j++)
            rank += x[j] * x[j] < x[i] * x[i];
        if (!(fabs(g[i] - 2 * x[i] * rank) < 1e-13)) {
            printf("x[%d]: %g vs %g\n", i, g[i], 2 * x[i] * rank);
            return 1;
        }
    }
    return 0;
}
