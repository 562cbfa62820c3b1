/* Poisson regression fitted by Newton's method with a Hessian from forward over reverse. */
#include <math.h>
#include <stdio.h>

int enzyme_const, enzyme_dup, enzyme_dupnoneed;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static double nll(const double *b, const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double eta = b[0] + b[1] * x[i];
        s += exp(eta) - y[i] * eta;
    }
    return s;
}

static void gradient(const double *b, double *g, const double *x, const double *y, int n)
{
    __enzyme_autodiff((void *)nll, enzyme_dup, b, g, enzyme_const, x, enzyme_const, y, enzyme_const, n);
}

int main(void)
{
    double x[8], y[8], b[2] = {0, 0};
    for (int i = 0; i < 8; i++) {
        x[i] = 0.25 * i - 1;
        y[i] = floor(3 * exp(0.8 * x[i]) + 0.5);
    }
    for (int it = 0; it < 20; it++) {
        double g[2], h[2][2];
        for (int k = 0; k < 2; k++) {
            double e[2] = {k == 0, k == 1}, g2[2] = {0, 0}, hv[2] = {0, 0};
            __enzyme_fwddiff((void *)gradient, enzyme_dup, b, e, enzyme_dup, g2, hv, enzyme_const, x, enzyme_const, y, enzyme_const, 8);
            h[k][0] = hv[0];
            h[k][1] = hv[1];
            g[0] = g2[0];
            g[1] = g2[1];
        }
        double det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
        b[0] -= (h[1][1] * g[0] - h[0][1] * g[1]) / det;
        b[1] -= (h[0][0] * g[1] - h[1][0] * g[0]) / det;
    }
    double g[2] = {0, 0};
    gradient(b, g, x, y, 8);
    double check = 0;
    for (int i = 0; i < 8; i++)
        check += exp(b[0] + b[1] * x[i]) - y[i];
    if (!(fabs(g[0]) < 1e-10 && fabs(g[1]) < 1e-10 && fabs(check) < 1e-10)) {
        printf("not converged: %g %g %g\n", g[0], g[1], check);
        return 1;
    }
    return 0;
}
