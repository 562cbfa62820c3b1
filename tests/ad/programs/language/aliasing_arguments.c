/* The same array passed for several parameters, inside the differentiated function; overlapping ranges. */
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

static void combine(double *out, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = a[i] * b[i] + 0.5 * out[i];
}

double overlapped(const double *x, int n)
{
    double w[10];
    memcpy(w, x, n * sizeof *x);
    combine(w, w, w, n);
    combine(w + 1, w, w + 2, n - 2);
    combine(w, w + 1, w, n - 1);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += w[i] * (i + 1);
    return s;
}

int main(void)
{
    double x[8], g[8] = {0};
    for (int i = 0; i < 8; i++)
        x[i] = 0.5 + 0.4 * cos(2 * i);
    __enzyme_autodiff((void *)overlapped, x, g, 8);
    for (int i = 0; i < 8; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = overlapped(x, 8);
        x[i] = k - 1e-6;
        double b = overlapped(x, 8);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
