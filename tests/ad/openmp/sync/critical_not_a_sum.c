// The result does not depend on the order of entries, but every entry needs what the ones before left.
#include "../../check.h"
static double norm(double *x, int n)
{
    double r = 0.1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        r = sqrt(r * r + x[i] * x[i]);
    }
    return r;
}
static double log_add(double *x, int n)
{
    double top = 0, sum = 1;
#pragma omp parallel
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < n; i++) {
            double v = 2 * x[i];
#pragma omp critical
            {
                if (v > top) {
                    sum = sum * exp(top - v) + 1;
                    top = v;
                } else
                    sum += exp(v - top);
            }
        }
    }
    return top + log(sum);
}
/* Numbers collected in a list in whatever order; the sum of squares does not care. */
static double collect(double *x, int n)
{
    double list[64], s = 0;
    int count = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] > 0.8) {
#pragma omp critical
            {
                list[count] = x[i] * x[0];
                count++;
            }
        }
    for (int k = 0; k < count; k++)
        s += list[k] * list[k];
    return s;
}
static double merged(double *x, int n)
{
    double product = 1;
#pragma omp parallel
    {
        double mine = 1;
#pragma omp for
        for (int i = 0; i < n; i++)
            mine *= 0.5 + x[i];
#pragma omp critical
        product = product * mine;
    }
    return product;
}
GRADIENT(norm)
GRADIENT(log_add)
GRADIENT(collect)
GRADIENT(merged)
int main(void) { return CHECK(norm, 17) | CHECK(log_add, 12) | CHECK(collect, 25) | CHECK(merged, 14); }
