// The same array under two names, and output beside input: shadows alias as the arrays do.
#include <math.h>
#include <stdio.h>
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#define N 24
static void combine(const double *a, const double *b, double *out, int n)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++)
        out[i] = a[i] * b[n - 1 - i] + a[i];
}
static double total(const double *a, const double *b)
{
    double out[N], s = 0;
    combine(a, b, out, N);
    for (int i = 0; i < N; i++)
        s += out[i] * (1 + 0.1 * i);
    return s;
}
int main(void)
{
    double x[N], xb[N] = {0}, out[N], outb[N];
    int bad = 0;
    for (int i = 0; i < N; i++) {
        x[i] = cos(i) + 0.2 * i;
        outb[i] = 1 + 0.1 * i;
    }
    /* x stands for both a and b, with one shadow */
    __enzyme_autodiff((void *)combine, enzyme_dup, x, xb, enzyme_dup, x, xb, enzyme_dup, out, outb, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double h = 1e-6, at = x[i], up, low;
        x[i] = at + h;
        up = total(x, x);
        x[i] = at - h;
        low = total(x, x);
        x[i] = at;
        double numeric = (up - low) / (2 * h);
        if (!(fabs(numeric - xb[i]) < 1e-6 * (1 + fabs(numeric)))) {
            printf("xb[%d] = %g, not %g\n", i, xb[i], numeric);
            bad = 1;
        }
        if (outb[i] != 0) {
            printf("the seed outb[%d] was not consumed\n", i);
            bad = 1;
        }
    }
    return bad;
}
