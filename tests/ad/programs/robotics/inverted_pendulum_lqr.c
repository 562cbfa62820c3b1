/* Closed-loop cost of a linear feedback on a cart pole; gains tuned by gradient steps. */
#include <math.h>
#include <stdio.h>

#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
double __enzyme_autodiff(void *, ...);

static double cost(double *gain)
{
    double x = 0.1, v = 0, a = 0.25, w = 0, total = 0;
    for (int i = 0; i < 150; i++) {
        double force = gain[0] * x + gain[1] * v + gain[2] * a + gain[3] * w;
        force = CLAMP(force, -8.0, 8.0);
        double s = sin(a), c = cos(a);
        double temp = (force + 0.05 * w * w * s) / 1.1;
        double alpha = (9.8 * s - c * temp) / (0.5 * (4.0 / 3 - 0.1 * c * c / 1.1));
        double acc = temp - 0.05 * alpha * c / 1.1;
        x += 0.02 * v;
        v += 0.02 * acc;
        a += 0.02 * w;
        w += 0.02 * alpha;
        total += 0.02 * (x * x + 5 * a * a + 0.01 * force * force);
    }
    return total;
}

int main(void)
{
    double k[4] = {1.0, 1.5, 20.0, 4.0}, first = cost(k);
    for (int it = 0; it < 30; it++) {
        double g[4] = {0, 0, 0, 0};
        __enzyme_autodiff((void *)cost, k, g);
        for (int i = 0; i < 4; i++) {
            double keep = k[i];
            k[i] = keep + 1e-6;
            double p = cost(k);
            k[i] = keep - 1e-6;
            double m = cost(k);
            k[i] = keep;
            if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-4 * (1 + fabs(g[i])))) {
                printf("step %d, gain %d: %g vs %g\n", it, i, g[i], (p - m) / 2e-6);
                return 1;
            }
        }
        for (int i = 0; i < 4; i++)
            k[i] -= 0.5 * g[i] / (1 + fabs(g[i]));
    }
    if (!(cost(k) < first)) {
        printf("cost did not fall: %g to %g\n", first, cost(k));
        return 1;
    }
    return 0;
}
