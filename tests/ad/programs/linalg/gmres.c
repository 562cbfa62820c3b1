/* GMRES with Arnoldi and Givens rotations, two-dimensional local arrays, early exit on convergence. */
#include <math.h>
#include <stdio.h>

#define N 5
#define M 5
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

double gmres(const double *a, const double *b)
{
    double v[M + 1][N], h[M + 1][M], cs[M], sn[M], g[M + 1] = {0}, y[M], x[N];
    double beta = 0;
    int k, used = 0;
    for (int i = 0; i < N; i++)
        beta += b[i] * b[i];
    beta = sqrt(beta);
    for (int i = 0; i < N; i++)
        v[0][i] = b[i] / beta;
    g[0] = beta;
    for (k = 0; k < M; k++) {
        double w[N];
        for (int i = 0; i < N; i++) {
            w[i] = 0;
            for (int j = 0; j < N; j++)
                w[i] += a[i * N + j] * v[k][j];
        }
        for (int j = 0; j <= k; j++) {
            h[j][k] = 0;
            for (int i = 0; i < N; i++)
                h[j][k] += w[i] * v[j][i];
            for (int i = 0; i < N; i++)
                w[i] -= h[j][k] * v[j][i];
        }
        double nrm = 0;
        for (int i = 0; i < N; i++)
            nrm += w[i] * w[i];
        h[k + 1][k] = sqrt(nrm);
        if (k + 1 < M)
            for (int i = 0; i < N; i++)
                v[k + 1][i] = w[i] / h[k + 1][k];
        for (int j = 0; j < k; j++) {
            double t = cs[j] * h[j][k] + sn[j] * h[j + 1][k];
            h[j + 1][k] = -sn[j] * h[j][k] + cs[j] * h[j + 1][k];
            h[j][k] = t;
        }
        double d = hypot(h[k][k], h[k + 1][k]);
        cs[k] = h[k][k] / d;
        sn[k] = h[k + 1][k] / d;
        h[k][k] = d;
        g[k + 1] = -sn[k] * g[k];
        g[k] *= cs[k];
        used = k + 1;
        if (fabs(g[k + 1]) < 1e-2)
            break;
    }
    for (int i = used - 1; i >= 0; i--) {
        y[i] = g[i];
        for (int j = i + 1; j < used; j++)
            y[i] -= h[i][j] * y[j];
        y[i] /= h[i][i];
    }
    double s = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0;
        for (int j = 0; j < used; j++)
            x[i] += v[j][i] * y[j];
        s += (i + 1) * x[i];
    }
    return s;
}

int main(void)
{
    double a[N * N], da[N * N] = {0}, b[N] = {1, 2, 3, 4, 5}, db[N] = {0};
    for (int i = 0; i < N * N; i++)
        a[i] = 0.4 * sin(i) + (i % (N + 1) == 0 ? 3 : 0);
    __enzyme_autodiff((void *)gmres, enzyme_dup, a, da, enzyme_dup, b, db);
    for (int i = 0; i < N * N; i++) {
        double k = a[i];
        a[i] = k + 1e-6;
        double p = gmres(a, b);
        a[i] = k - 1e-6;
        double m = gmres(a, b);
        a[i] = k;
        double fd = (p - m) / 2e-6;
        if (!(fabs(fd - da[i]) < 1e-6 * (1 + fabs(fd)))) {
            printf("a[%d]: %.9g vs %.9g\n", i, da[i], fd);
            return 1;
        }
    }
    return 0;
}
