/* Sparse matrix-vector products in CSR, repeated: index arrays constant, values and vector active. */
#include <math.h>
#include <stdio.h>

typedef struct {
    int n;
    const int *row, *col;
    const double *val;
} csr;

static void spmv(const csr *a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < a->n; i++) {
        double s = 0;
        for (int k = a->row[i]; k < a->row[i + 1]; k++)
            s += a->val[k] * x[a->col[k]];
        y[i] = s;
    }
}

static double chain(const double *val, const double *x, const int *row, const int *col, int n)
{
    csr a = {n, row, col, val};
    double y[8], z[8];
    spmv(&a, x, y);
    for (int i = 0; i < n; i++)
        y[i] = tanh(y[i]);
    spmv(&a, y, z);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += z[i] * x[i];
    return s;
}

int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

int main(void)
{
    int row[] = {0, 2, 5, 7, 9}, col[] = {0, 1, 0, 1, 3, 2, 3, 1, 3};
    double val[9], dval[9] = {0}, x[4] = {0.3, -0.2, 0.9, 0.5}, dx[4] = {0};
    for (int i = 0; i < 9; i++)
        val[i] = 0.2 * i - 0.7;
    __enzyme_autodiff((void *)chain, enzyme_dup, val, dval, enzyme_dup, x, dx, enzyme_const, row, enzyme_const, col, enzyme_const, 4);
    int rc = 0;
    for (int i = 0; i < 13; i++) {
        double *v = i < 9 ? val + i : x + i - 9, g = i < 9 ? dval[i] : dx[i - 9], k = *v;
        *v = k + 1e-6;
        double p = chain(val, x, row, col, 4);
        *v = k - 1e-6;
        double m = chain(val, x, row, col, 4);
        *v = k;
        if (!(fabs(g - (p - m) / 2e-6) < 1e-8)) {
            printf("variable %d: %g vs %g\n", i, g, (p - m) / 2e-6);
            rc = 1;
        }
    }
    return rc;
}
