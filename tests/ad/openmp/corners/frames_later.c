// A region of whose mirror it shows late that something crosses into it from the region.
#include "../../check.h"
#include <alloca.h>
#include <omp.h>

static double f(double *x, int n)
{
    double y[5] = {0.1, 0.2, 0.3, 0.4, 0.5}, *p = x, *q = y, s = 0;
    for (int step = 0; step < 3; step++) {
        double *w = alloca(5 * sizeof *w), *gone = alloca(5 * sizeof *gone);
        for (int i = 0; i < 5; i++)
            w[i] = sin(p[(step + 3) % 5]) / (i + 1);
#pragma omp parallel
        {
            for (int k = 0; k < 2; k++) {
                int me = omp_get_thread_num(), threads = omp_get_num_threads();
                for (int i = me; i < 5; i += threads) {
                }
#pragma omp for schedule(dynamic) nowait
                for (int i = 0; i < 1; i++)
                    w[i] = 0.5 * w[i] + sin(x[(k + 2) % 5]);
#pragma omp barrier
            }
        }
        double least = p[(step + 2) % 5];
        for (int i = 0; i < n; i++) {
            double v = tanh(0.6 * w[0] - 0.3 * 0.3) + 0.00137 * (i + 1);
            if (v < least)
                least = v;
        }
        q[(step + 3) % 5] = 0.5 * q[(step + 3) % 5] + 0.3 * least;
        for (int i = 0; i < 5; i++)
            gone[i] = exp(-s * s) / (i + 1);
        double t = x[step % 5];
        p[(step * 2 + 1) % 5] = 0.5 * p[(step * 2 + 1) % 5] + 0.3 * t + 0.2 * gone[2];
    }
    for (int i = 0; i < 5; i++)
        s += x[i] * y[i] * (i + 1);
    return s;
}
static double g(double *x, int n)
{
    double copy[5];
    memcpy(copy, x, sizeof copy);
    return f(copy, n);
}
GRADIENT(g)

int main(void)
{
    return CHECK(g, 5);
}
