/* Blocked triangular solve through pointers into a larger array with leading dimensions (BLAS style). */
#include <math.h>
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
double __enzyme_autodiff(void *, ...);
int enzyme_const, enzyme_dup;

static void gemv_minus(int m, int n, const double *a, int lda, const double *x, double *y)
{
    for (int i = 0; i < m; i++, a += lda) {
        double acc = 0;
        for (int j = 0; j < n; j++)
            acc += a[j] * x[j];
        y[i] -= acc;
    }
}

static void trsv(int n, const double *a, int lda, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= a[i * lda + j] * x[j];
        x[i] /= a[i * lda + i];
    }
}

static double solve(const double *l, int ld, int n, const double *b)
{
    double x[12];
    for (int i = 0; i < n; i++)
        x[i] = b[i];
    for (int k = 0; k < n; k += 4) {
        int nb = MIN(4, n - k);
        trsv(nb, l + k * ld + k, ld, x + k);
        if (k + nb < n)
            gemv_minus(n - k - nb, nb, l + (k + nb) * ld + k, ld, x + k, x + k + nb);
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s;
}

int main(void)
{
    enum { n = 10, ld = 11 };
    double l[n * ld], dl[n * ld] = {0}, b[n], db[n] = {0};
    for (int i = 0; i < n * ld; i++)
        l[i] = 0.3 * cos(i);
    for (int i = 0; i < n; i++) {
        l[i * ld + i] = 1.5 + 0.1 * i;
        b[i] = 1 - 0.2 * i;
    }
    __enzyme_autodiff((void *)solve, enzyme_dup, l, dl, enzyme_const, ld, enzyme_const, n, enzyme_dup, b, db);
    for (int i = 0; i < n * ld; i += 3) {
        double k = l[i];
        l[i] = k + 1e-6;
        double p = solve(l, ld, n, b);
        l[i] = k - 1e-6;
        double m = solve(l, ld, n, b);
        l[i] = k;
        double fd = (p - m) / 2e-6;
        if (!(fabs(fd - dl[i]) < 1e-6 * (1 + fabs(fd)))) {
            printf("l[%d]: %g vs %g\n", i, dl[i], fd);
            return 1;
        }
    }
    return 0;
}
