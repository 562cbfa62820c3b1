// One thread computes, all get a private copy.
#include "../../check.h"
static double f(double *x, int n)
{
    double y[64], s = 0, scale, pair[2];
#pragma omp parallel private(scale, pair)
    {
#pragma omp single copyprivate(scale, pair)
        {
            scale = 0;
            for (int i = 0; i < n; i++)
                scale += x[i] * x[i];
            pair[0] = x[0] * scale;
            pair[1] = sin(x[1]);
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = x[i] / scale + pair[i % 2];
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 12); }
