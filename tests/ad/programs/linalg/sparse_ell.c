/* ELLPACK with padding (-1 columns skipped by continue), unsigned indices, const double *const parameters. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static double ell(const double *const values, const int32_t *const columns, const uint32_t rows, const uint32_t width, const double *const x)
{
    double norm = 0;
    for (uint32_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (uint32_t k = 0; k < width; ++k) {
            const int32_t c = columns[k * rows + r];
            if (c < 0)
                continue;
            sum += values[k * rows + r] * x[c];
        }
        norm += sum * sum;
    }
    return norm;
}

int main(void)
{
    double v[6] = {1, 2, 3, 4, 5, 6}, dv[6] = {0}, x[3] = {0.5, -1, 2}, dx[3] = {0};
    int32_t c[6] = {0, 1, 2, 2, -1, 0};
    __enzyme_autodiff((void *)ell, v, dv, enzyme_const, c, (uint32_t)3, (uint32_t)2, x, dx);
    /* Rows: 1*x0 + 4*x2 = 8.5; 2*x1 = -2; 3*x2 + 6*x0 = 9. */
    const double s[3] = {8.5, -2, 9};
    double ev[6] = {2 * s[0] * x[0], 2 * s[1] * x[1], 2 * s[2] * x[2], 2 * s[0] * x[2], 0, 2 * s[2] * x[0]};
    double ex[3] = {2 * s[0] * 1 + 2 * s[2] * 6, 2 * s[1] * 2, 2 * s[0] * 4 + 2 * s[2] * 3};
    for (int i = 0; i < 6; i++)
        if (fabs(dv[i] - ev[i]) > 1e-13) {
            printf("value %d: %g vs %g\n", i, dv[i], ev[i]);
            return 1;
        }
    for (int i = 0; i < 3; i++)
        if (fabs(dx[i] - ex[i]) > 1e-13) {
            printf("x %d: %g vs %g\n", i, dx[i], ex[i]);
            return 1;
        }
    return 0;
}
