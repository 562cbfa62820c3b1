/* alloca, arrays in inner scopes shadowing outer names, values that outlive their block only by copying. */
#include <alloca.h>
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

static double reversed_dot(const double *x, int n)
{
    double *tmp = alloca(n * sizeof *tmp);
    for (int i = 0; i < n; i++)
        tmp[i] = x[n - 1 - i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += tmp[i] * x[i];
    return s;
}

double scopes(const double *x, int n)
{
    double s = 0, v = 1;
    for (int i = 0; i < n; i++) {
        double v = x[i] * 2;
        {
            double w[2] = {v, v * v};
            for (int i = 0; i < 2; i++) {
                double v = w[i] * s + i;
                s += 0.1 * v;
            }
        }
        s += sin(v);
    }
    return s * v + reversed_dot(x, n);
}

int main(void)
{
    double x[5] = {0.3, -0.5, 0.8, 0.1, 0.6}, g[5] = {0};
    __enzyme_autodiff((void *)scopes, x, g, 5);
    for (int i = 0; i < 5; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = scopes(x, 5);
        x[i] = k - 1e-6;
        double b = scopes(x, 5);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
