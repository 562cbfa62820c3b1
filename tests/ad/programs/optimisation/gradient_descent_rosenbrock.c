/* Descent with a backtracking line search, the gradient called with changing inputs until it is small. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

static double rosenbrock(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i + 1 < n; i++) {
        double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
        s += a * a + 100 * b * b;
    }
    return s;
}

static void gradient_of(const double *x, double *g, int n)
{
    memset(g, 0, n * sizeof *g);
    __enzyme_autodiff((void *)rosenbrock, x, g, n);
}

int main(void)
{
    double x[2] = {-1.2, 1.0}, g[2], y[2];
    int it;
    for (it = 0; it < 20000; it++) {
        gradient_of(x, g, 2);
        double want0 = -2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] * x[0]), want1 = 200 * (x[1] - x[0] * x[0]);
        if (!(fabs(g[0] - want0) < 1e-9 * (1 + fabs(want0)) && fabs(g[1] - want1) < 1e-9 * (1 + fabs(want1)))) {
            printf("iteration %d: (%g %g) vs (%g %g)\n", it, g[0], g[1], want0, want1);
            return 1;
        }
        double norm = g[0] * g[0] + g[1] * g[1], f = rosenbrock(x, 2), t = 1;
        if (norm < 1e-14)
            break;
        do {
            t *= 0.5;
            y[0] = x[0] - t * g[0];
            y[1] = x[1] - t * g[1];
        } while (t > 1e-20 && rosenbrock(y, 2) > f - 0.3 * t * norm);
        memcpy(x, y, sizeof x);
    }
    if (!(fabs(x[0] - 1) < 1e-5 && fabs(x[1] - 1) < 1e-5)) {
        printf("ended at (%g, %g) after %d\n", x[0], x[1], it);
        return 1;
    }
    return 0;
}
