/* Poisson by Jacobi sweeps until the residual is small: a while loop around array sweeps, VLA work arrays. */
#include <math.h>
#include <stdio.h>

int enzyme_dup;
int enzyme_const;
double __enzyme_autodiff(void *, ...);

double poisson(int n, const double f[n])
{
    double u[n + 2], v[n + 2];
    for (int i = 0; i < n + 2; i++)
        u[i] = v[i] = 0.0;
    double h2 = 1.0 / ((n + 1.0) * (n + 1.0));
    double change = 1.0;
    int sweeps = 0;
    while (change > 1e-10 && sweeps < 2000) {
        change = 0.0;
        for (int i = 1; i <= n; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1] + h2 * f[i - 1]);
            double d = fabs(v[i] - u[i]);
            if (d > change)
                change = d;
        }
        for (int i = 1; i <= n; i++)
            u[i] = v[i];
        sweeps++;
    }
    double peak = 0.0;
    for (int i = 1; i <= n; i++)
        peak += u[i] * u[i];
    return sqrt(peak);
}

int main(void)
{
    enum { N = 6 };
    double f[N] = {1, 2, -1, 0.5, 3, 1}, df[N] = {0};
    __enzyme_autodiff((void *)poisson, enzyme_const, N, enzyme_dup, f, df);
    for (int i = 0; i < N; i++) {
        double keep = f[i];
        f[i] = keep + 1e-4;
        double a = poisson(N, f);
        f[i] = keep - 1e-4;
        double b = poisson(N, f);
        f[i] = keep;
        double fd = (a - b) / 2e-4;
        if (!(fabs(fd - df[i]) < 1e-6)) {
            printf("f[%d]: %.9g vs %.9g\n", i, df[i], fd);
            return i + 1;
        }
    }
    return 0;
}
