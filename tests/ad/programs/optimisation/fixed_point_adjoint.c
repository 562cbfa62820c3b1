/* Differentiating through a fixed-point iteration against the analytic adjoint of the fixed point. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 3
void __enzyme_autodiff(void *, ...);

/* x = tanh(A x + b) elementwise */
double fixed_point(const double (*a)[N], const double *b)
{
    double x[N] = {0, 0, 0};
    for (int it = 0; it < 400; it++) {
        double next[N], change = 0;
        for (int i = 0; i < N; i++) {
            double s = b[i];
            for (int j = 0; j < N; j++)
                s += a[i][j] * x[j];
            next[i] = tanh(s);
            change += fabs(next[i] - x[i]);
        }
        memcpy(x, next, sizeof next);
        if (change < 1e-15)
            goto converged;
    }
    return NAN;
converged:
    return x[0] + 2 * x[1] - x[2];
}

int main(void)
{
    double a[N][N] = {{0.2, -0.3, 0.1}, {0.4, 0.1, -0.2}, {-0.1, 0.3, 0.25}}, b[N] = {0.5, -0.4, 0.3}, da[N][N] = {{0}}, db[N] = {0};
    __enzyme_autodiff((void *)fixed_point, a, da, b, db);
    /* lambda = D (c + A^T lambda), db = lambda, da = lambda x^T */
    double x[N] = {0}, lambda[N] = {0}, c[N] = {1, 2, -1};
    for (int it = 0; it < 2000; it++) {
        double y[N];
        for (int i = 0; i < N; i++)
            y[i] = tanh(b[i] + a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2]);
        memcpy(x, y, sizeof x);
    }
    for (int it = 0; it < 2000; it++) {
        double y[N];
        for (int i = 0; i < N; i++)
            y[i] = (1 - x[i] * x[i]) * (c[i] + a[0][i] * lambda[0] + a[1][i] * lambda[1] + a[2][i] * lambda[2]);
        memcpy(lambda, y, sizeof y);
    }
    for (int i = 0; i < N; i++) {
        if (!(fabs(db[i] - lambda[i]) < 1e-11)) {
            printf("b[%d]: %g vs %g\n", i, db[i], lambda[i]);
            return 1;
        }
        for (int j = 0; j < N; j++)
            if (!(fabs(da[i][j] - lambda[i] * x[j]) < 1e-11)) {
                printf("a[%d][%d]: %g vs %g\n", i, j, da[i][j], lambda[i] * x[j]);
                return 1;
            }
    }
    return 0;
}
