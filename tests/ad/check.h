/* A gradient in an array against central differences, and the tangents of both ways. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static int check(const char *name, double (*f)(double *, int), void (*gradient)(double *, double *, int),
                 double (*tangent)(double *, double *, int), int n)
{
    double x[64], bar[64], dot[64], sum = 0, forward;
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
    /* Along a direction: forward mode against the gradient. */
    for (int i = 0; i < n; i++) {
        dot[i] = cos(2.3 * i + 0.7);
        sum += dot[i] * bar[i] / 2;
    }
    forward = tangent(x, dot, n);
    if (!(fabs(forward - sum) <= 1e-9 * (1 + fabs(sum)))) {
        printf("%s: the tangent is %.12g, not %.12g\n", name, forward, sum);
        bad = 1;
    }
    return bad;
}

#define GRADIENT(F) \
    static void F##_gradient(double *x, double *bar, int n) \
    { \
        __enzyme_autodiff((void *)F, x, bar, n); \
    } \
    static double F##_tangent(double *x, double *dot, int n) \
    { \
        return __enzyme_fwddiff((void *)F, x, dot, n); \
    }
#define CHECK(F, n) check(#F, F, F##_gradient, F##_tangent, n)
