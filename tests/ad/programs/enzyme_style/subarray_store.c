/* Writing into the middle of arrays passed from outside; only part of the shadow may change. */
#include <math.h>
#include <stdio.h>

int enzyme_dup;
int enzyme_const;
void __enzyme_autodiff(void *, ...);

static void window(const double *x, double *out, int from, int to)
{
    for (int i = from; i < to; i++)
        out[i] += x[i] * x[i + 1];
}

int main(void)
{
    double x[6] = {1, 2, 3, 4, 5, 6}, dx[6] = {0}, out[6] = {0, 0, 0, 0, 0, 0}, dout[6] = {1, 2, 3, 4, 5, 6};
    __enzyme_autodiff((void *)window, enzyme_dup, x, dx, enzyme_dup, out, dout, enzyme_const, 1, enzyme_const, 4);
    double want[6] = {0, 2 * 3, 2 * 2 + 3 * 4, 3 * 3 + 4 * 5, 4 * 4, 0};
    for (int i = 0; i < 6; i++) {
        if (dx[i] != want[i]) {
            printf("dx[%d] = %g, expected %g\n", i, dx[i], want[i]);
            return 1;
        }
        if (dout[i] != i + 1) { /* out is incremented, not overwritten: its adjoint passes through */
            printf("dout[%d] = %g\n", i, dout[i]);
            return 1;
        }
        if (out[i] != (i >= 1 && i < 4 ? x[i] * x[i + 1] : 0)) {
            printf("out[%d] = %g\n", i, out[i]);
            return 1;
        }
    }
    return 0;
}
