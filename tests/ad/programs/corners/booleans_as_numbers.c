/* Comparisons and booleans as numbers, masks, integer division, casts between widths, char arithmetic. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

double masked(const double *x, int n)
{
    double s = 0;
    bool flip = false;
    uint8_t crumbs = 0;
    for (int i = 0; i < n; i++) {
        bool positive = x[i] > 0;
        s += positive * x[i] * x[i] - !positive * 0.5 * x[i];
        flip ^= positive;
        crumbs = (uint8_t)(crumbs * 5 + (int)(x[i] * 3));
        s *= 1 + 0.01 * (crumbs & 3) + (flip ? 0.1 : -0.1);
        s += (i / 2 * 2 == i) * x[(crumbs >> 2) % n];
        s += (x[i] >= 0.5) && (x[n - 1 - i] < 0.95) ? x[i] * x[n - 1 - i] : 0;
    }
    return s + (int)s * x[0];
}

int main(void)
{
    double x[6] = {0.4, -0.7, 0.9, 1.3, -0.2, 0.6}, g[6] = {0};
    __enzyme_autodiff((void *)masked, x, g, 6);
    for (int i = 0; i < 6; i++) {
        double k = x[i];
        x[i] = k + 1e-7;
        double a = masked(x, 6);
        x[i] = k - 1e-7;
        double b = masked(x, 6);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-7) < 1e-6)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-7);
            return 1;
        }
    }
    return 0;
}
