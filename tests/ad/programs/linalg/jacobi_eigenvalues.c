/* Cyclic Jacobi rotations on a small symmetric matrix; sum of a function of the eigenvalues. */
#include <math.h>
#include <stdio.h>

enum { N = 4 };
extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

static void rotate(double (*a)[N], int p, int q)
{
    if (fabs(a[p][q]) < 1e-300)
        return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < N; k++) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < N; k++) {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
}

double spectral(const double *m)
{
    double a[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 0.5 * (m[i * N + j] + m[j * N + i]);
    for (int sweep = 0; sweep < 4; sweep++)
        for (int p = 0; p < N; p++)
            for (int q = p + 1; q < N; q++)
                rotate(a, p, q);
    double s = 0;
    for (int i = 0; i < N; i++)
        s += exp(0.3 * a[i][i]);
    return s;
}

int main(void)
{
    double m[N * N], d[N * N] = {0};
    for (int i = 0; i < N * N; i++)
        m[i] = cos(1.3 * i * i) + (i % (N + 1) == 0 ? i : 0);
    __enzyme_autodiff((void *)spectral, enzyme_dup, m, d);
    for (int i = 0; i < N * N; i++) {
        double k = m[i];
        m[i] = k + 1e-5;
        double p = spectral(m);
        m[i] = k - 1e-5;
        double q = spectral(m);
        m[i] = k;
        double fd = (p - q) / 2e-5;
        if (!(fabs(fd - d[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("m[%d]: %.9g vs %.9g\n", i, d[i], fd);
            return 1;
        }
    }
    return 0;
}
