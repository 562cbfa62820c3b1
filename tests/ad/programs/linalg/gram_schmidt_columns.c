/* Modified Gram-Schmidt on an array of row pointers (double **), built inside the differentiated function. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern double __enzyme_autodiff(void *, ...);

static double **allocate(int n, int m)
{
    double **rows = (double **)malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++)
        rows[i] = (double *)malloc(m * sizeof(double));
    return rows;
}

static void release(double **rows, int n)
{
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
}

double volume(const double *x, int n, int m)
{
    double **q = allocate(n, m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            q[i][j] = x[i * m + j];
    double vol = 1.0;
    for (int i = 0; i < n; i++) {
        double *qi = q[i], norm = 0;
        for (int j = 0; j < m; j++)
            norm += qi[j] * qi[j];
        norm = sqrt(norm);
        vol *= norm;
        for (int j = 0; j < m; j++)
            qi[j] /= norm;
        for (int k = i + 1; k < n; k++) {
            double *qk = q[k], r = 0;
            for (int j = 0; j < m; j++)
                r += qi[j] * qk[j];
            for (int j = 0; j < m; j++)
                qk[j] -= r * qi[j];
        }
    }
    release(q, n);
    return vol;
}

int main(void)
{
    double x[12], d[12] = {0};
    for (int i = 0; i < 12; i++)
        x[i] = sin(1.0 + 2.3 * i * i);
    __enzyme_autodiff((void *)volume, x, d, 3, 4);
    for (int i = 0; i < 12; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double p = volume(x, 3, 4);
        x[i] = k - 1e-6;
        double m = volume(x, 3, 4);
        x[i] = k;
        if (!(fabs(d[i] - (p - m) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, d[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
