/* Hessian-vector products by forward over reverse through loops, calls and heap memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static double energy(const double *x, int n)
{
    double *force = malloc(n * sizeof *force), s = 0;
    for (int i = 0; i < n; i++)
        force[i] = tanh(x[i]) * (i ? x[i - 1] : 1);
    for (int i = 0; i < n; i++)
        s += force[i] * force[(i + 1) % n];
    free(force);
    return s;
}

static void gradient(const double *x, double *g, int n)
{
    for (int i = 0; i < n; i++)
        g[i] = 0;
    __enzyme_autodiff((void *)energy, enzyme_dup, x, g, enzyme_const, n);
}

int main(void)
{
    enum { N = 5 };
    double x[N], v[N], w[N], g[N], hv[N] = {0}, hw[N] = {0}, a[N], b[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = sin(i + 0.5);
        v[i] = cos(2 * i);
        w[i] = 1.0 / (i + 1);
    }
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, hv, enzyme_const, N);
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, w, enzyme_dup, g, hw, enzyme_const, N);
    double vhw = 0, whv = 0;
    for (int i = 0; i < N; i++) {
        vhw += v[i] * hw[i];
        whv += w[i] * hv[i];
    }
    if (!(fabs(vhw - whv) < 1e-12)) {
        printf("not symmetric: %g vs %g\n", vhw, whv);
        return 1;
    }
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < N; i++)
            y[i] = x[i] + (s ? 1e-6 : -1e-6) * v[i];
        gradient(y, s ? a : b, N);
    }
    for (int i = 0; i < N; i++)
        if (!(fabs(hv[i] - (a[i] - b[i]) / 2e-6) < 1e-7)) {
            printf("hv[%d]: %g vs %g\n", i, hv[i], (a[i] - b[i]) / 2e-6);
            return 1;
        }
    return 0;
}
