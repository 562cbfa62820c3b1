/* Two-dimensional wave equation on a static grid, three time levels, absorbing factor at the border. */
#include <math.h>
#include <stdio.h>

#define NX 8
#define NY 7
#define IDX(i, j) ((i) * NY + (j))

void __enzyme_autodiff(void *, ...);

static double simulate(double c[NX * NY], int steps)
{
    double a[NX][NY] = {{0}}, b[NX][NY] = {{0}}, d[NX][NY] = {{0}};
    b[NX / 2][NY / 2] = 1.0;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++) {
                double lap = b[i + 1][j] + b[i - 1][j] + b[i][j + 1] + b[i][j - 1] - 4 * b[i][j];
                d[i][j] = 2 * b[i][j] - a[i][j] + c[IDX(i, j)] * c[IDX(i, j)] * lap;
            }
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++) {
                a[i][j] = b[i][j];
                b[i][j] = d[i][j];
            }
    }
    double sum = 0;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            sum += b[i][j] * b[i][j] * (1 + i) + j * a[i][j];
    return sum;
}

int main(void)
{
    static double c[NX * NY], g[NX * NY];
    for (int k = 0; k < NX * NY; k++)
        c[k] = 0.4 + 0.05 * sin(k);
    __enzyme_autodiff((void *)simulate, c, g, 10);
    double worst = 0;
    for (int k = 0; k < NX * NY; k++) {
        double keep = c[k], e = 1e-5;
        c[k] = keep + e;
        double p = simulate(c, 10);
        c[k] = keep - e;
        double m = simulate(c, 10);
        c[k] = keep;
        double fd = (p - m) / (2 * e), err = fabs(g[k] - fd) / (1 + fabs(fd));
        if (err > worst || err != err)
            worst = err;
    }
    if (!(worst < 1e-7)) {
        printf("worst error %g\n", worst);
        return 1;
    }
    return 0;
}
