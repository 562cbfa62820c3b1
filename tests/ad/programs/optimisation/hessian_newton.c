/* Newton's method with a full Hessian by forward over reverse; symmetry checked. */
#include <math.h>
#include <stdio.h>

#define N 3
int enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static double f(const double *x)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += cosh(x[i]) - 0.3 * x[i] * (i + 1);
    return s + exp(0.2 * x[0] * x[1] * x[2]) + 0.1 * x[0] * x[0] * x[1] * x[1];
}

static void grad(const double *x, double *g)
{
    for (int i = 0; i < N; i++)
        g[i] = 0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, g);
}

static void hessian(const double *x, double h[N][N])
{
    for (int k = 0; k < N; k++) {
        double e[N] = {0}, g[N];
        e[k] = 1;
        __enzyme_fwddiff((void *)grad, enzyme_dup, x, e, enzyme_dup, g, h[k]);
    }
}

int main(void)
{
    double x[N] = {0.5, -0.3, 0.8}, h[N][N], g[N];
    hessian(x, h);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double k = x[i], a[N], b[N];
            x[i] = k + 1e-5;
            grad(x, a);
            x[i] = k - 1e-5;
            grad(x, b);
            x[i] = k;
            if (!(fabs(h[i][j] - (a[j] - b[j]) / 2e-5) < 1e-7 && fabs(h[i][j] - h[j][i]) < 1e-12)) {
                printf("h[%d][%d]: %g vs %g\n", i, j, h[i][j], (a[j] - b[j]) / 2e-5);
                return 1;
            }
        }
    for (int it = 0; it < 30; it++) {
        double m[N][N + 1];
        grad(x, g);
        hessian(x, h);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++)
                m[i][j] = h[i][j];
            m[i][N] = -g[i];
        }
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                if (i != k)
                    for (int j = N; j >= k; j--)
                        m[i][j] -= m[i][k] / m[k][k] * m[k][j];
        for (int i = 0; i < N; i++)
            x[i] += m[i][N] / m[i][i];
    }
    grad(x, g);
    if (!(fabs(g[0]) + fabs(g[1]) + fabs(g[2]) < 1e-12)) {
        printf("gradient at the end: %g %g %g\n", g[0], g[1], g[2]);
        return 1;
    }
    return 0;
}
