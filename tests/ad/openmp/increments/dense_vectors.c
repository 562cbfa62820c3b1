// All threads read all of vectors that the region writes: the copies are summed up at the barriers.
#include "../../check.h"
enum { STEPS = 4 };
static double power(double *x, int n)
{
    int m = 2;
    while ((m + 1) * (m + 2) <= n)
        m++;
    const double *a = x;
    double *v = malloc(m * sizeof *v), *w = malloc(m * sizeof *w), norm = 0, last = 0;
    for (int i = 0; i < m; i++)
        v[i] = 1 + x[m * m + i];
#pragma omp parallel
    for (int k = 0; k < STEPS; k++) {
#pragma omp single
        norm = 0;
#pragma omp for reduction(+ : norm)
        for (int i = 0; i < m; i++) {
            double s = 0;
            for (int j = 0; j < m; j++)
                s += a[i * m + j] * v[j];
            w[i] = s;
            norm += s * s;
        }
#pragma omp for
        for (int i = 0; i < m; i++)
            v[i] = w[i] / sqrt(1 + norm) + 0.1 * v[i];
        if (k == STEPS - 1) {
#pragma omp single
            last = norm;
        }
    }
    for (int i = 0; i < m; i++)
        last += v[i] * v[i] * i;
    free(v);
    free(w);
    return last;
}
/* Two vectors in one block, which take turns; one thread reads an element alone. */
static double balance(double *x, int n)
{
    int m = n / 2;
    double block[2 * m], *u = block, *v = block + m, cost = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 2 * m; i++)
            block[i] = 1;
        int k = 0;
        while (k < STEPS) {
#pragma omp for
            for (int i = 0; i < m; i++) {
                double s = 0;
                for (int j = 0; j < m; j++)
                    s += exp(-(x[i] - x[m + j]) * (x[i] - x[m + j])) * v[j];
                u[i] = 1 / s;
            }
#pragma omp for
            for (int j = 0; j < m; j++) {
                double s = 0;
                for (int i = 0; i < m; i++)
                    s += exp(-(x[i] - x[m + j]) * (x[i] - x[m + j])) * u[i];
                v[j] = 1 / s;
            }
            k++;
        }
#pragma omp master
        cost += u[0] * v[0];
#pragma omp barrier
#pragma omp for reduction(+ : cost)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                cost += u[i] * v[j] * x[i];
    }
    return cost;
}
GRADIENT(power)
GRADIENT(balance)
int main(void)
{
    return CHECK(power, 56) || CHECK(balance, 22);
}
