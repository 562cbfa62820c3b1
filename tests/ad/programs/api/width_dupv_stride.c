/* enzyme_dupv: the tangents lie in one array at a stride in bytes. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dupv, enzyme_width, enzyme_const;
void __enzyme_fwddiff(void *, ...);

static void kernel(const double *x, double *y)
{
    y[0] = x[0] * x[1];
    y[1] = exp(x[0]) + x[1];
    y[2] = x[1] / x[0];
}

int main(void)
{
    double x[2] = {0.8, 1.9}, y[3], dx[2][2] = {{1, 0}, {0, 1}}, dy[2][3] = {{0}};
    __enzyme_fwddiff((void *)kernel, enzyme_width, 2, enzyme_dupv, sizeof dx[0], x, dx, enzyme_dupv, sizeof dy[0], y, dy);
    double want[2][3] = {{x[1], exp(x[0]), -x[1] / (x[0] * x[0])}, {x[0], 1, 1 / x[0]}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            if (!(fabs(dy[i][j] - want[i][j]) < 1e-14)) {
                printf("direction %d, output %d: %g vs %g\n", i, j, dy[i][j], want[i][j]);
                return 1;
            }
    return 0;
}
