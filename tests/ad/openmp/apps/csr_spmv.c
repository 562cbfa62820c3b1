/* y = A x in CSR, chained; derivatives by the matrix and by the vector */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

struct csr { int rows; int *start, *column; double *value; };

static void multiply(const struct csr *a, const double *x, double *y)
{
    #pragma omp parallel for schedule(guided)
    for (int r = 0; r < a->rows; ++r) {
        double sum = 0;
        for (int k = a->start[r]; k < a->start[r + 1]; ++k)
            sum += a->value[k] * x[a->column[k]];
        y[r] = sum;
    }
}

static double chain(const struct csr *a, const double *x, int times)
{
    int n = a->rows;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), s = 0;
    memcpy(u, x, n * sizeof *u);
    for (int t = 0; t < times; ++t) {
        multiply(a, u, v);
        #pragma omp parallel for
        for (int i = 0; i < n; ++i)
            u[i] = tanh(v[i]) + 0.1 * x[i];
    }
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; ++i)
        s += u[i] * u[i];
    free(u);
    free(v);
    return s;
}

int main(void)
{
    enum { ROWS = 40, PER = 5 };
    int start[ROWS + 1], column[ROWS * PER], bad = 0;
    double value[ROWS * PER], dvalue[ROWS * PER] = {0}, x[ROWS], dx[ROWS] = {0};
    for (int r = 0; r < ROWS; ++r) {
        start[r] = r * PER;
        x[r] = sin(r);
        for (int k = 0; k < PER; ++k) {
            column[r * PER + k] = (r * 7 + k * 11) % ROWS;
            value[r * PER + k] = cos(r + 3 * k);
        }
    }
    start[ROWS] = ROWS * PER;
    struct csr a = {ROWS, start, column, value}, da = {0, NULL, NULL, dvalue};
    __enzyme_autodiff((void *)chain, enzyme_dup, &a, &da, enzyme_dup, x, dx, enzyme_const, 3);
    for (int i = 0; i < ROWS; i += 3) {
        double h = 1e-6, keep = x[i], up, low;
        x[i] = keep + h; up = chain(&a, x, 3);
        x[i] = keep - h; low = chain(&a, x, 3);
        x[i] = keep;
        if (fabs((up - low) / (2 * h) - dx[i]) > 1e-6) { printf("dx[%d] %g vs %g\n", i, dx[i], (up - low) / (2 * h)); bad = 1; }
        int k = i * PER + i % PER;
        keep = value[k];
        value[k] = keep + h; up = chain(&a, x, 3);
        value[k] = keep - h; low = chain(&a, x, 3);
        value[k] = keep;
        if (fabs((up - low) / (2 * h) - dvalue[k]) > 1e-6) { printf("dA[%d] %g vs %g\n", k, dvalue[k], (up - low) / (2 * h)); bad = 1; }
    }
    return bad;
}
