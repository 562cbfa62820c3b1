/* A factorisation in an array of fixed row length, in place: the diagonal is written by the row that later reads beside it. The gradient of the log determinant is the inverse. */
#include <math.h>
#include <stdio.h>

#define N 24

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static double a[N][N];

static double logdet(const double *m)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = m[i * N + j];
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++)
            a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < N; i++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        s += log(a[j][j]);
    }
    return 2 * s;
}

int main(void)
{
    static double m[N * N], d[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i * N + j] = cos(i * j) + cos(i + j) + (i == j ? 2.0 * N : 0);
    __enzyme_autodiff((void *)logdet, enzyme_dup, m, d);
    double worst = 0;
    for (int i = 0; i < N * N; i++) {
        const double h = 1e-5, old = m[i];
        m[i] = old + h;
        double above = logdet(m);
        m[i] = old - h;
        double below = logdet(m);
        m[i] = old;
        worst = fmax(worst, fabs((above - below) / (2 * h) - d[i]));
    }
    printf("worst %.1e\n", worst);
    return !(worst < 1e-7);
}
