/* Dominant eigenvalue by power iteration: gradient is the outer product of the eigenvector (symmetric matrix). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 4
double __enzyme_autodiff(void *, ...);

double eigenvalue(const double a[N][N])
{
    double v[N] = {1, 1, 1, 1}, w[N], lambda = 0, old;
    int iterations = 0;
    do {
        old = lambda;
        double norm = 0;
        for (int i = 0; i < N; i++) {
            w[i] = 0;
            for (int j = 0; j < N; j++)
                w[i] += a[i][j] * v[j];
            norm += w[i] * w[i];
        }
        norm = sqrt(norm);
        lambda = 0;
        for (int i = 0; i < N; i++)
            lambda += v[i] * w[i];
        for (int i = 0; i < N; i++)
            v[i] = w[i] / norm;
    } while (++iterations < 500 && fabs(lambda - old) > 1e-15);
    return lambda / (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
}

int main(void)
{
    double a[N][N], d[N][N], v[N] = {1, 1, 1, 1};
    memset(d, 0, sizeof d);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 1.0 / (i + j + 1) + (i == j ? i : 0);
    __enzyme_autodiff((void *)eigenvalue, a, d);
    for (int it = 0; it < 1000; it++) {
        double w[N], norm = 0;
        for (int i = 0; i < N; i++) {
            w[i] = 0;
            for (int j = 0; j < N; j++)
                w[i] += a[i][j] * v[j];
            norm += w[i] * w[i];
        }
        for (int i = 0; i < N; i++)
            v[i] = w[i] / sqrt(norm);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (!(fabs(d[i][j] - v[i] * v[j]) < 1e-6)) {
                printf("[%d][%d]: %g vs %g\n", i, j, d[i][j], v[i] * v[j]);
                return 1;
            }
    return 0;
}
