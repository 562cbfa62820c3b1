/* Upwind advection in place: direction of the sweep depends on the sign of the speed. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup;
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

static void advect(double *u, int n, double cfl)
{
    if (cfl >= 0) {
        for (int i = n - 1; i > 0; i--)
            u[i] = u[i] - cfl * (u[i] - u[i - 1]);
    } else {
        for (int i = 0; i < n - 1; i++)
            u[i] -= cfl * (u[i + 1] - u[i]);
    }
}

double objective(const double *x, int n)
{
    double u[32];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < 6; t++)
        advect(u, n, (t & 1) ? 0.3 * u[0] : -0.2 * u[n - 1]);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (i % 3 + 1) * u[i] * u[i];
    return s;
}

int main(void)
{
    double x[10], g[10] = {0};
    for (int i = 0; i < 10; i++)
        x[i] = 1.0 + 0.5 * cos(i);
    __enzyme_autodiff((void *)objective, enzyme_dup, x, g, enzyme_const, 10);
    int status = 0;
    for (int i = 0; i < 10; i++) {
        double keep = x[i];
        x[i] = keep + 1e-6;
        double hi = objective(x, 10);
        x[i] = keep - 1e-6;
        double lo = objective(x, 10);
        x[i] = keep;
        double fd = (hi - lo) / 2e-6;
        if (!(fabs(fd - g[i]) < 1e-6 * (1 + fabs(fd)))) {
            printf("x[%d]: %f instead of %f\n", i, g[i], fd);
            status = 1;
        }
    }
    return status;
}
