/* Overlap-add convolution with memmove of the tail and memset of the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 4
#define TAPS 3
void __enzyme_autodiff(void *, ...);

static double filter(const double *x, int n, const double *taps)
{
    double buffer[BLOCK + TAPS - 1] = {0}, energy = 0;
    for (int start = 0; start < n; start += BLOCK) {
        for (int i = 0; i < BLOCK; i++)
            for (int k = 0; k < TAPS; k++)
                buffer[i + k] += x[start + i] * taps[k];
        for (int i = 0; i < BLOCK; i++)
            energy += (start + i + 1) * buffer[i] * buffer[i];
        memmove(buffer, buffer + BLOCK, (TAPS - 1) * sizeof *buffer);
        memset(buffer + TAPS - 1, 0, BLOCK * sizeof *buffer);
    }
    return energy;
}

int main(void)
{
    double x[12], dx[12] = {0}, t[TAPS] = {0.5, -0.3, 0.8}, dt[TAPS] = {0};
    for (int i = 0; i < 12; i++)
        x[i] = cos(0.6 * i);
    __enzyme_autodiff((void *)filter, x, dx, 12, t, dt);
    for (int i = 0; i < 12 + TAPS; i++) {
        double *v = i < 12 ? x + i : t + i - 12, g = i < 12 ? dx[i] : dt[i - 12], k = *v;
        *v = k + 1e-5;
        double a = filter(x, 12, t);
        *v = k - 1e-5;
        double b = filter(x, 12, t);
        *v = k;
        if (!(fabs(g - (a - b) / 2e-5) < 1e-7 * (1 + fabs(g)))) {
            printf("variable %d: %g vs %g\n", i, g, (a - b) / 2e-5);
            return 1;
        }
    }
    return 0;
}
