/* One array given for two parameters with one shadow: input and output overlap alike. */
#include <math.h>
#include <stdio.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static void scale_add(const double *in, double *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = 3 * in[i] * in[i] + out[i];
}

static double inner(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[n - 1 - i] * (i + 1);
    return s;
}

int main(void)
{
    double x[3] = {0.5, -1, 2}, keep[3] = {0.5, -1, 2}, d[3] = {1, 10, 100};
    __enzyme_autodiff((void *)scale_add, enzyme_dup, x, d, enzyme_dup, x, d, enzyme_const, 3);
    for (int i = 0; i < 3; i++) {
        double want = pow(10, i) * (6 * keep[i] + 1);
        if (!(fabs(d[i] - want) < 1e-10)) {
            printf("in place, %d: %g vs %g\n", i, d[i], want);
            return 1;
        }
    }
    double y[3] = {1, 2, 3}, g[3] = {0};
    __enzyme_autodiff((void *)inner, enzyme_dup, y, g, enzyme_dup, y, g, enzyme_const, 3);
    for (int i = 0; i < 3; i++) {
        double want = y[2 - i] * (i + 1) + y[2 - i] * (3 - i);
        if (!(fabs(g[i] - want) < 1e-13)) {
            printf("inner, %d: %g vs %g\n", i, g[i], want);
            return 1;
        }
    }
    return 0;
}
