/* Laplace expansion by recursion with minors in variable-length arrays. */
#include <math.h>
#include <stdio.h>

int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

double det(int n, const double *a)
{
    if (n == 1)
        return a[0];
    if (n == 2)
        return a[0] * a[3] - a[1] * a[2];
    double sum = 0, minor[(n - 1) * (n - 1)];
    for (int c = 0; c < n; c++) {
        double *out = minor;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                if (j != c)
                    *out++ = a[i * n + j];
        sum += (c % 2 ? -1 : 1) * a[c] * det(n - 1, minor);
    }
    return sum;
}

int main(void)
{
    enum { N = 4 };
    double a[N * N], d[N * N] = {0};
    for (int i = 0; i < N * N; i++)
        a[i] = cos(2.0 * i) * (1 + i % 3);
    __enzyme_autodiff((void *)det, enzyme_const, N, enzyme_dup, a, d);
    /* Sum over a row of entry times cofactor is the determinant. */
    double want = det(N, a);
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int j = 0; j < N; j++)
            s += a[i * N + j] * d[i * N + j];
        if (!(fabs(s - want) < 1e-11)) {
            printf("row %d: %.12g vs %.12g\n", i, s, want);
            return 1;
        }
        /* Another row's entries give zero. */
        s = 0;
        for (int j = 0; j < N; j++)
            s += a[((i + 1) % N) * N + j] * d[i * N + j];
        if (!(fabs(s) < 1e-11)) {
            printf("row %d: %g is not zero\n", i, s);
            return 1;
        }
    }
    return 0;
}
