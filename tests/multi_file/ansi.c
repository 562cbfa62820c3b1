/* ANSI C, with definitions in the old style: whatever standard is asked for, its derivatives compile without a word. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
extern double __enzyme_autodiff();
extern double __enzyme_fwddiff();
extern int enzyme_dup;
extern int enzyme_const;
/* ANSI C: declarations first */
static double poly(x, c, n) double x; double *c; int n;
{
    int i; double s = 0.0; double *t = (double *)malloc(n * sizeof(double));
    for (i = 0; i < n; i++) { t[i] = c[i] * pow(x, (double)i); }
    for (i = 0; i < n; ++i) { if (t[i] > 0.0) s += t[i]; else s -= 2.0 * t[i] * x; }
    while (s > 10.0) s = sqrt(s) + x;
    free(t);
    return s;
}
static double f(c, n) double *c; int n; { return poly(c[0], c + 1, n - 1) + exp(c[1]); }
int main()
{
    double c[4], g[4], d[4]; int i, bad = 0; double h = 1e-6;
    for (i = 0; i < 4; i++) { c[i] = 1.2 + i; g[i] = 0; d[i] = 0; }
    __enzyme_autodiff(f, enzyme_dup, c, g, enzyme_const, 4);
    for (i = 0; i < 4; i++) { double p, m, t, q = c[i]; c[i] = q + h; p = f(c, 4); c[i] = q - h; m = f(c, 4); c[i] = q; d[i] = 1; t = __enzyme_fwddiff(f, enzyme_dup, c, d, enzyme_const, 4); d[i] = 0;
        if (fabs(g[i] - (p - m) / (2 * h)) > 1e-6 || fabs(t - g[i]) > 1e-12) { printf("%d %g %g %g\n", i, g[i], t, (p - m) / (2 * h)); bad = 1; } }
    return bad;
}
