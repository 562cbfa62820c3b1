/* Pointers chosen by data: (c ? a : b)[i] = ..., functions returning pointers, tables of pointers to locals. */
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);

static double *largest(double *v, int n)
{
    double *best = v;
    for (int i = 1; i < n; i++)
        if (v[i] > *best)
            best = v + i;
    return best;
}

double choose(const double *x, int n)
{
    double a[4] = {0}, b[4] = {0}, c = 0, w[8];
    double *targets[3] = {a, b, &c};
    for (int i = 0; i < n; i++) {
        (x[i] > 0 ? a : b)[i % 4] += x[i] * x[i];
        *targets[i % 3] += sin(x[i]);
        w[i] = x[i] * (i + 1);
    }
    double *top = largest(w, n);
    *top = *top * *top;
    double *second = largest(w, (int)(top - w));
    *second += 0.5 * *top;
    double s = c;
    for (int i = 0; i < 4; i++)
        s += a[i] * (i + 1) - b[i] * b[i];
    for (int i = 0; i < n; i++)
        s += w[i];
    return s;
}

int main(void)
{
    double x[8] = {0.3, -0.7, 1.2, 0.5, -1.1, 0.9, 0.8, -0.2}, g[8] = {0};
    __enzyme_autodiff((void *)choose, x, g, 8);
    for (int i = 0; i < 8; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double p = choose(x, 8);
        x[i] = k - 1e-6;
        double m = choose(x, 8);
        x[i] = k;
        if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-6)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
