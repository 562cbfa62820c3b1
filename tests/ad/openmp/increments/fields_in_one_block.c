// flags: -O3
// Two fields in one block, whose places the compiler does not tell apart: loops put something back, read an adjoint and set it to zero, and add to others. gcc 12 at -O3 takes the zeros out of such loops, and
// stores them before they are read.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 14 };

static void step(int n, double a[n][n], double b[n][n])
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = a[i][j] + 0.1 * a[i][j] * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
}

static double fields(const double *x, int n, int steps)
{
    double(*w)[n][n] = calloc(2 * n * n, sizeof(double)), (*u)[n] = w[0], (*v)[n] = w[1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = v[i][j] = x[i * n + j];
    for (int t = 0; t < steps; t++) {
        step(n, u, v);
        step(n, v, u);
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += u[i][j] * u[i][j] * (1 + j % 3);
    free(w);
    return s;
}

int main(void)
{
    int wrong = 0;
    double x[N * N];
    for (int i = 0; i < N * N; i++)
        x[i] = 0.5 * sin(0.7 * i) + 0.4;
    for (int steps = 0; steps < 4; steps++) {
        double x_bar[N * N] = {0};
        __enzyme_autodiff((void *)fields, enzyme_dup, x, x_bar, enzyme_const, N, enzyme_const, steps);
        for (int i = 0; i < N * N; i++) {
            double old = x[i], h = 1e-6;
            x[i] = old + h;
            double up = fields(x, N, steps);
            x[i] = old - h;
            double down = fields(x, N, steps);
            x[i] = old;
            double expected = (up - down) / (2 * h);
            if (!(fabs(x_bar[i] - expected) < 1e-6 * (1 + fabs(expected)))) {
                printf("%d steps: [%d]: %g instead of %g\n", steps, i, x_bar[i], expected);
                wrong++;
            }
        }
    }
    return wrong != 0;
}
