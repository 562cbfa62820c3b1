/* Parameters assigned in the body, by-value scalars and pointers moved, out parameters read before they are written. */
#include <math.h>
#include <stdio.h>

extern int enzyme_out, enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_v(void *, ...);

static double reduce(double x, const double *v, int n)
{
    x = x * x;
    while (n > 0) {
        x += *v++ * x;
        n -= 1;
        if (x > 4) {
            x = sqrt(x);
            v--;
        }
    }
    return x;
}

static void accumulate(double *acc, const double *x)
{
    double before = *acc;
    *acc = before * *x;
    *acc += before;
}

int main(void)
{
    double v[6] = {0.5, 0.9, 0.2, 1.1, 0.4, 0.7}, dv[6] = {0}, e = 1e-7;
    double dx = __enzyme_autodiff((void *)reduce, enzyme_out, 1.3, enzyme_dup, v, dv, enzyme_const, 5);
    double fx = (reduce(1.3 + e, v, 5) - reduce(1.3 - e, v, 5)) / (2 * e);
    if (!(fabs(dx - fx) < 1e-6)) {
        printf("x: %g vs %g\n", dx, fx);
        return 1;
    }
    for (int i = 0; i < 6; i++) {
        double k = v[i];
        v[i] = k + e;
        double a = reduce(1.3, v, 5);
        v[i] = k - e;
        double b = reduce(1.3, v, 5);
        v[i] = k;
        if (!(fabs(dv[i] - (a - b) / (2 * e)) < 1e-6)) {
            printf("v[%d]: %g vs %g\n", i, dv[i], (a - b) / (2 * e));
            return 1;
        }
    }
    double acc = 2, dacc = 10, x = 3, dxx = 0.5;
    __enzyme_autodiff_v((void *)accumulate, &acc, &dacc, &x, &dxx);
    if (!(acc == 8 && dacc == 40 && dxx == 20.5)) {
        printf("acc %g, dacc %g, dx %g\n", acc, dacc, dxx);
        return 1;
    }
    return 0;
}
