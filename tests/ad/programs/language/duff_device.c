/* Duff's device: a switch into the middle of a loop. */
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);

static double horner(const double *c, int n, double x)
{
    double r = 0;
    int rounds = (n + 3) / 4;
    if (n <= 0)
        return 0;
    switch (n % 4) {
    case 0: do { r = r * x + *c++; /* fall through */
    case 3:      r = r * x + *c++; /* fall through */
    case 2:      r = r * x + *c++; /* fall through */
    case 1:      r = r * x + *c++;
            } while (--rounds > 0);
    }
    return r;
}

static void poly(const double *c, int n, const double *x, double *out)
{
    *out = horner(c, n, *x);
}

int main(void)
{
    double c[9] = {1, -2, 0.5, 3, 0.1, -1, 2, 0.7, 1.1};
    for (int n = 1; n <= 9; n++) {
        double x = 0.9, dx = 0, dc[9] = {0}, out, seed = 1;
        __enzyme_autodiff((void *)poly, c, dc, n, &x, &dx, &out, &seed);
        double slope = 0, power = 1;
        for (int i = n - 1; i >= 0; i--) {
            if (!(fabs(dc[i] - power) < 1e-14)) {
                printf("n = %d, c[%d]: %g vs %g\n", n, i, dc[i], power);
                return 1;
            }
            if (i < n - 1)
                slope += (n - 1 - i) * c[i] * power / x;
            power *= x;
        }
        if (!(fabs(dx - slope) < 1e-12)) {
            printf("n = %d: %g vs %g\n", n, dx, slope);
            return 1;
        }
    }
    return 0;
}
