/* Divide and conquer: maxima, sums and products by halving, with early exits. */
#include <math.h>
#include <stdio.h>

extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double recursive_max(const double *x, int n)
{
    if (n == 1)
        return x[0];
    double l = recursive_max(x, n / 2), r = recursive_max(x + n / 2, n - n / 2);
    return l > r ? l : r;
}

static double recursive_product(const double *x, int lo, int hi)
{
    if (lo >= hi)
        return 1;
    if (hi - lo == 1)
        return x[lo];
    int mid = lo + (hi - lo) / 2;
    return recursive_product(x, lo, mid) * recursive_product(x, mid, hi);
}

static double objective(const double *x, int n) { return recursive_max(x, n) * recursive_product(x, 0, n); }

int main(void)
{
    double x[7] = {0.9, 1.2, 0.8, 1.7, 1.1, 0.6, 1.3}, g[7] = {0};
    __enzyme_autodiff((void *)objective, enzyme_dup, x, g, enzyme_const, 7);
    double p = 1;
    for (int i = 0; i < 7; i++)
        p *= x[i];
    for (int i = 0; i < 7; i++) {
        double want = 1.7 * p / x[i] + (i == 3 ? p : 0);
        if (!(fabs(g[i] - want) < 1e-12)) {
            printf("x[%d]: %g vs %g\n", i, g[i], want);
            return 1;
        }
    }
    return 0;
}
