/* Arrays of variable size that a time loop overwrites: kept as a whole, also behind parameters and in three dimensions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static void product(int n, double a[n][n], double b[n][n], double c[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static double powers(const double *x, int n, int m, int steps)
{
    double p[n][n], t[n][n], cube[n][m][2], sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p[i][j] = x[i * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            cube[i][j][0] = cube[i][j][1] = x[i] + j;
    for (int s = 0; s < steps; s++) {
        product(n, p, p, t);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < n; k++)
                    sum += sin(cube[i][j][1] * p[k][i]) * cube[(i + k) % n][j][0];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                cube[i][j][s % 2] = 0.5 * cube[i][j][1 - s % 2] + 0.1 * t[i][0];
        memcpy(p, t, sizeof p);
        for (int i = 0; i < n; i++)
            p[i][i] = 0.3 * p[i][i] + x[i];
    }
    for (int i = 0; i < n; i++)
        sum += p[i][i] * p[i][(i + 1) % n];
    return sum;
}

int main(void)
{
    int bad = 0;
    for (int n = 1; n < 6; n += 2)
        for (int m = 1; m < 4; m += 2) {
            double x[36], dx[36] = {0}, h = 1e-6;
            for (int i = 0; i < 36; i++)
                x[i] = 0.3 * sin(i + 1.0);
            __enzyme_autodiff((void *)powers, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, m, enzyme_const, 4);
            for (int i = 0; i < n * n; i++) {
                double keep = x[i], f[2];
                x[i] = keep + h;
                f[0] = powers(x, n, m, 4);
                x[i] = keep - h;
                f[1] = powers(x, n, m, 4);
                x[i] = keep;
                double expected = (f[0] - f[1]) / (2 * h);
                if (fabs(dx[i] - expected) > 1e-6 * (1 + fabs(expected))) {
                    printf("n %d m %d x[%d]: %.9g, expected %.9g\n", n, m, i, dx[i], expected);
                    bad++;
                }
            }
        }
    return bad != 0;
}
