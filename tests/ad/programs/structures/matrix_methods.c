/* Matrices as structs with malloc'ed data and methods that return new matrices; trace of a product chain. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; double *a; } Matrix;
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
extern int enzyme_dup;

static Matrix mat_alloc(int n)
{
    Matrix m = {n, malloc(sizeof(double) * n * n)};
    assert(m.a != NULL);
    return m;
}
static void mat_free(Matrix *m)
{
    free(m->a);
    m->a = NULL;
}
static Matrix mat_mul(const Matrix *x, const Matrix *y)
{
    Matrix r = mat_alloc(x->n);
    for (int i = 0; i < r.n; i++)
        for (int j = 0; j < r.n; j++) {
            double s = 0;
            for (int k = 0; k < r.n; k++)
                s += x->a[i * r.n + k] * y->a[k * r.n + j];
            r.a[i * r.n + j] = s;
        }
    return r;
}
static Matrix mat_transpose(const Matrix *x)
{
    Matrix r = mat_alloc(x->n);
    for (int i = 0; i < r.n; i++)
        for (int j = 0; j < r.n; j++)
            r.a[i * r.n + j] = x->a[j * r.n + i];
    return r;
}

double gram_trace_cubed(double *data, int n)
{
    Matrix m = {n, data}, t = mat_transpose(&m), g = mat_mul(&t, &m), sum = mat_mul(&g, &g);
    double tr = 0;
    for (int rep = 0; rep < 2; rep++) {
        Matrix next = mat_mul(&sum, &g);
        mat_free(&sum);
        sum = next;
    }
    for (int i = 0; i < n; i++)
        tr += sum.a[i * n + i];
    mat_free(&t);
    mat_free(&g);
    mat_free(&sum);
    return log(tr);
}

int main(void)
{
    double x[9], d[9] = {0};
    for (int i = 0; i < 9; i++)
        x[i] = sin(i * i + 0.5);
    __enzyme_autodiff((void *)gram_trace_cubed, enzyme_dup, x, d, enzyme_const, 3);
    double euler = 0;
    for (int i = 0; i < 9; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = gram_trace_cubed(x, 3);
        x[i] = k - 1e-6;
        double b = gram_trace_cubed(x, 3);
        x[i] = k;
        euler += x[i] * d[i];
        if (!(fabs(d[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, d[i], (a - b) / 2e-6);
            return 1;
        }
    }
    if (!(fabs(euler - 8) < 1e-12)) {
        printf("Euler: %g\n", euler);
        return 1;
    }
    return 0;
}
