/* Truncated series with pow inside, the derivative being another series; while loops with two exits. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern double __enzyme_autodiff(void *, double, ...);

static double taylor_log(double x, unsigned long n)
{
    double sum = 0;
    for (unsigned long i = 1; i <= n; i++)
        sum += pow(x, (double)i) / i;
    return sum;
}

static double exp_series(double x)
{
    double term = 1, sum = 1;
    int i = 1;
    while (1) {
        term *= x / i;
        sum += term;
        if (fabs(term) < 1e-18)
            break;
        if (++i > 1000)
            return -1;
    }
    return sum;
}

static double atan_cf(double x, int n, int last) { return n == last ? 2 * n - 1 : 2 * n - 1 + n * n * x * x / atan_cf(x, n + 1, last); }

int main(void)
{
    double d = __enzyme_autodiff((void *)taylor_log, 0.5, 10000ul);
    if (!(fabs(d - 2.0) < 1e-9)) {
        fprintf(stderr, "log series: %.12g\n", d);
        return 1;
    }
    d = __enzyme_autodiff((void *)exp_series, 1.3);
    if (!(fabs(d - exp(1.3)) < 1e-12)) {
        fprintf(stderr, "exp series: %.12g\n", d);
        return 1;
    }
    d = __enzyme_autodiff((void *)atan_cf, 0.4, 1, 12);
    double fd = (atan_cf(0.4 + 1e-6, 1, 12) - atan_cf(0.4 - 1e-6, 1, 12)) / 2e-6;
    assert(fabs(d - fd) < 1e-6);
    return 0;
}
