/* Checks gradients of functions of n numbers against differences, at several sizes, the empty one included. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_primal_return;
int enzyme_dup, enzyme_const, enzyme_primal_return;

enum { MOST = 64 };

static int check(const char *name, int n, double (*f)(const double *, int), void (*gradient)(const double *, double *, int))
{
    double x[MOST] = {0}, g[MOST] = {0};
    for (int i = 0; i < n; i++)
        x[i] = 0.3 + 0.9 * sin(1.7 * i + 0.4);
    gradient(x, g, n);
    for (int i = 0; i < n; i++) {
        double k = x[i], h = 1e-5;
        x[i] = k + h;
        double a = f(x, n);
        x[i] = k - h;
        double b = f(x, n);
        x[i] = k;
        double d = (a - b) / (2 * h);
        if (!(fabs(g[i] - d) < 1e-6 * (1 + fabs(d)))) {
            printf("%s, n = %d: x[%d]: %.10g, differences %.10g\n", name, n, i, g[i], d);
            return 1;
        }
    }
    return 0;
}

#define GRADIENT(f) \
    static void f##_gradient(const double *x, double *g, int n) { __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n); }
#define CHECK(f) (check(#f, 0, f, f##_gradient) || check(#f, 4, f, f##_gradient) || check(#f, 24, f, f##_gradient) || check(#f, 60, f, f##_gradient))
