/* Recursion thousands of levels deep with arrays on the stack, and tail calls. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, double, int);

static double descend(double x, int depth)
{
    double local[3] = {x, x * 0.999, 0.5};
    if (depth == 0)
        return local[0] + local[1];
    local[2] = descend(local[1] + 0.0001 * sin(local[0]), depth - 1);
    return local[2] + 0.001 * local[0];
}

static double tail(double x, double acc, int n) { return n == 0 ? acc : tail(x * 0.99, acc + x * x, n - 1); }

double both(double x, int n) { return descend(x, n) + tail(x, 0, n); }

int main(void)
{
    for (int n = 1; n <= 5000; n *= 10) {
        double g = __enzyme_autodiff((void *)both, 0.7, n), fd = (both(0.7 + 1e-6, n) - both(0.7 - 1e-6, n)) / 2e-6;
        if (!(fabs(g - fd) < 1e-5 * (1 + fabs(fd)))) {
            printf("n = %d: %g vs %g\n", n, g, fd);
            return 1;
        }
    }
    return 0;
}
