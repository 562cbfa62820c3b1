/* A gradient in an array against central differences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

static int check(const char *name, double (*f)(double *, int), void (*gradient)(double *, double *, int), int n)
{
    double x[64], bar[64];
    int bad = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.9 + 0.3 * sin(1.7 * i + 0.4);
        bar[i] = 0.0;
    }
    /* Twice: gradients are added to what is there. */
    gradient(x, bar, n);
    gradient(x, bar, n);
    for (int i = 0; i < n; i++) {
        double h = 1e-5, at = x[i], d[4];
        for (int k = 0; k < 4; k++) {
            static const double step[4] = {1, -1, 2, -2};
            x[i] = at + step[k] * h;
            d[k] = f(x, n);
        }
        x[i] = at;
        double numeric = (8 * (d[0] - d[1]) - (d[2] - d[3])) / (12 * h);
        if (!(fabs(bar[i] / 2 - numeric) <= 1e-7 * (1 + fabs(numeric)))) {
            printf("%s: d/dx[%d] is %.12g, not %.12g\n", name, i, bar[i] / 2, numeric);
            bad = 1;
        }
    }
    return bad;
}

#define GRADIENT(F) \
    static void F##_gradient(double *x, double *bar, int n) \
    { \
        __enzyme_autodiff((void *)F, x, bar, n); \
    }
#define CHECK(F, n) check(#F, F, F##_gradient, n)
