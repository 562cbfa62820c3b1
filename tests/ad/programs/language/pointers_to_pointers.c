/* A table of row pointers from the caller with shadow rows; rows swapped inside the function. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

double gauss_det(double **m, int n)
{
    double det = 1;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[p][k]))
                p = i;
        if (p != k) {
            double *t = m[k];
            m[k] = m[p];
            m[p] = t;
            det = -det;
        }
        det *= m[k][k];
        for (int i = k + 1; i < n; i++) {
            double f = m[i][k] / m[k][k];
            for (int j = k; j < n; j++)
                m[i][j] -= f * m[k][j];
        }
    }
    return det;
}

static double evaluate(const double *a, int n)
{
    double **m = malloc(n * sizeof *m);
    for (int i = 0; i < n; i++) {
        m[i] = malloc(n * sizeof **m);
        for (int j = 0; j < n; j++)
            m[i][j] = a[i * n + j];
    }
    double d = gauss_det(m, n);
    for (int i = 0; i < n; i++)
        free(m[i]);
    free(m);
    return d;
}

int main(void)
{
    enum { N = 4 };
    double a[N * N], work[N * N], shadow[N * N] = {0}, *rows[N], *drows[N];
    for (int i = 0; i < N * N; i++)
        a[i] = work[i] = sin(2.9 * i * i + 0.4);
    for (int i = 0; i < N; i++) {
        rows[i] = work + i * N;
        drows[i] = shadow + i * N;
    }
    __enzyme_autodiff((void *)gauss_det, rows, drows, N);
    for (int i = 0; i < N * N; i++) {
        double k = a[i];
        a[i] = k + 1e-6;
        double p = evaluate(a, N);
        a[i] = k - 1e-6;
        double m = evaluate(a, N);
        a[i] = k;
        if (!(fabs(shadow[i] - (p - m) / 2e-6) < 1e-6)) {
            printf("a[%d]: %g vs %g\n", i, shadow[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
