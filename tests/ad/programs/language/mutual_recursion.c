/* Mutual recursion, recursion with accumulators by pointer, Ackermann-like depth, a recursive generator of a series. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, double, int);

static double even_part(double x, int n);
static double odd_part(double x, int n) { return n == 0 ? x : x * sin(even_part(x, n - 1)); }
static double even_part(double x, int n)
{
    if (n == 0)
        return 1;
    double o = odd_part(x, n - 1);
    return o * o + 0.5 * x;
}

static void accumulate(double x, int n, double *sum, double *product)
{
    if (n == 0)
        return;
    *sum += x / n;
    *product *= 1 + x / (n * n);
    accumulate(x * 0.9, n - 1, sum, product);
    *sum *= 1 + 0.01 * *product;
}

static double hanoi(double x, int n) { return n == 0 ? 0 : hanoi(x, n - 1) + pow(x, n) + hanoi(0.5 * x, n - 1); }

double all(double x, int n)
{
    double sum = 0, product = 1;
    accumulate(x, n, &sum, &product);
    return even_part(x, n) + odd_part(x, n) + sum * product + hanoi(x, n);
}

int main(void)
{
    for (int n = 1; n < 8; n++) {
        double g = __enzyme_autodiff((void *)all, 0.8, n), fd = (all(0.8 + 1e-6, n) - all(0.8 - 1e-6, n)) / 2e-6;
        if (!(fabs(g - fd) < 1e-6 * (1 + fabs(fd)))) {
            printf("n = %d: %g vs %g\n", n, g, fd);
            return 1;
        }
    }
    return 0;
}
