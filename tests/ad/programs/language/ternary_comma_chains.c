/* Ternary chains, comma operators, assignments as values, ++ in subscripts, short circuits with side effects. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

static double piecewise(double x)
{
    return x < -1 ? -x - 0.5 : x < 0 ? 0.5 * x * x : x < 1 ? x * x * x : x < 2 ? (3 * x - 2) : 4 + log(x - 1);
}

double odd(const double *x, int n)
{
    double a, b, c = 0, buffer[8];
    int i = 0, k = 0;
    a = b = x[0];
    while (i < n && (buffer[k++] = piecewise(x[i++]), k < 8))
        ;
    for (int l = 0, r = k - 1; l < r; l++, r--)
        a = (b = a * buffer[l], b + buffer[r]);
    if ((a > b && (c = a - b) > 0.5) || (c += b * 0.25, c > 0))
        c *= 1.5;
    double *p = buffer;
    *p++ *= c, *p-- += a;
    return c += *p++, c += *p, c * c + a;
}

int main(void)
{
    double x[6] = {0.4, -1.7, 1.3, 2.8, -0.3, 0.9}, g[6] = {0};
    __enzyme_autodiff((void *)odd, x, g, 6);
    for (int i = 0; i < 6; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = odd(x, 6);
        x[i] = k - 1e-6;
        double b = odd(x, 6);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-5 * (1 + fabs(g[i])))) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
