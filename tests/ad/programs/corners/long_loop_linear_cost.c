/* A million steps: the gradient must be linear in time and modest in memory. */
#include <math.h>
#include <stdio.h>

struct two { double a, b; };
struct two __enzyme_autodiff(void *, ...);
extern int enzyme_out, enzyme_const;

double logistic_map(double x, double r, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        x = r * x * (1 - x);
        s += x;
    }
    return s / n;
}

double sums(double a, double b, int n)
{
    double s = 0;
    for (int i = 1; i <= n; i++)
        s += sin(a * i) / (b + i);
    return s;
}

int main(void)
{
    int n = 1000000;
    struct two g = __enzyme_autodiff((void *)logistic_map, enzyme_out, 0.3, enzyme_out, 2.8, enzyme_const, n);
    double e = 1e-4, fr = (logistic_map(0.3, 2.8 + e, n) - logistic_map(0.3, 2.8 - e, n)) / (2 * e);
    if (!(fabs(g.b - fr) < 1e-6)) {
        printf("logistic: %g vs %g\n", g.b, fr);
        return 1;
    }
    struct two h = __enzyme_autodiff((void *)sums, enzyme_out, 1e-3, enzyme_out, 2.5, enzyme_const, n);
    double fb = (sums(1e-3, 2.5 + 1e-5, n) - sums(1e-3, 2.5 - 1e-5, n)) / 2e-5;
    if (!(fabs(h.b - fb) < 1e-8)) {
        printf("sums: %g vs %g\n", h.b, fb);
        return 1;
    }
    return 0;
}
