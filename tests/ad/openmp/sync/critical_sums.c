#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0, t[3] = {0};
#pragma omp parallel
    {
        double mine = 0, mines[3] = {0};
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
            mine += x[i] * x[i];
            mines[i % 3] += cos(x[i]);
        }
#pragma omp critical
        {
            s += mine;
            for (int k = 0; k < 3; k++)
                t[k] -= mines[k];
        }
    }
    return s * t[0] + t[1] * t[2];
}
static double in_loop(double *x, int n)
{
    double s = 0, q = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[(i + 1) % n];
#pragma omp critical
        s += v;
#pragma omp critical
        q += sin(v);
    }
    return s * q;
}
GRADIENT(f)
GRADIENT(in_loop)
int main(void) { return CHECK(f, 19) | CHECK(in_loop, 13); }
