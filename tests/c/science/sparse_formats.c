// flags: -lm
// COO, CSR, CSC, ELL and BSR of the same matrix, assembled with duplicates; products agree in exact small integers.
#include "../check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int32_t row, col; double v; } triple;
typedef struct { int rows, cols; int *ptr, *idx; double *val; } csr;
#define SLAB(m, r, k) ((m)->val[(size_t)(k) * (m)->rows + (r)])
typedef struct { int rows, width; int *col; double *val; } ell;

static int by_place(const void *a, const void *b)
{
    const triple *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row) : (x->col > y->col) - (x->col < y->col);
}

static csr *compress(triple *t, int n, int rows, int cols)
{
    qsort(t, n, sizeof *t, by_place);
    int m = 0;
    for (int i = 0; i < n; i++)
        if (m && t[m - 1].row == t[i].row && t[m - 1].col == t[i].col)
            t[m - 1].v += t[i].v;
        else
            t[m++] = t[i];
    csr *a = malloc(sizeof *a);
    *a = (csr){rows, cols, calloc(rows + 1, sizeof(int)), malloc(m * sizeof(int)), malloc(m * sizeof(double))};
    for (int i = 0; i < m; i++) {
        a->ptr[t[i].row + 1]++;
        a->idx[i] = t[i].col;
        a->val[i] = t[i].v;
    }
    for (int i = 0; i < rows; i++)
        a->ptr[i + 1] += a->ptr[i];
    return a;
}

static void drop(csr *a)
{
    free(a->ptr), free(a->idx), free(a->val), free(a);
}

static csr *transpose(const csr *a)
{
    int nnz = a->ptr[a->rows];
    csr *t = malloc(sizeof *t);
    *t = (csr){.rows = a->cols, .cols = a->rows, .ptr = calloc(a->cols + 2, sizeof(int)),
               .idx = malloc(nnz * sizeof(int)), .val = malloc(nnz * sizeof(double))};
    for (int k = 0; k < nnz; k++)
        t->ptr[a->idx[k] + 2]++;
    for (int i = 2; i <= t->rows; i++)
        t->ptr[i] += t->ptr[i - 1];
    for (int i = 0; i < a->rows; i++)
        for (int k = a->ptr[i]; k < a->ptr[i + 1]; k++) {
            int at = t->ptr[a->idx[k] + 1]++;
            t->idx[at] = i;
            t->val[at] = a->val[k];
        }
    return t;
}

static void mul(const csr *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < a->rows; i++) {
        double s = 0;
        for (int k = a->ptr[i], end = a->ptr[i + 1]; k < end; ++k)
            s += a->val[k] * x[a->idx[k]];
        y[i] = s;
    }
}

static void mul_transposed(const csr *a, const double *x, double *y)
{
    memset(y, 0, a->cols * sizeof *y);
    for (int i = 0; i < a->rows; i++) {
        const int *c = a->idx + a->ptr[i];
        const double *v = a->val + a->ptr[i], *end = a->val + a->ptr[i + 1];
        while (v != end)
            y[*c++] += *v++ * x[i];
    }
}

static ell pad(const csr *a)
{
    ell e = {a->rows, 0, 0, 0};
    for (int i = 0; i < a->rows; i++) {
        int w = a->ptr[i + 1] - a->ptr[i];
        e.width = w > e.width ? w : e.width;
    }
    e.col = malloc(sizeof(int) * e.rows * e.width);
    e.val = calloc((size_t)e.rows * e.width, sizeof *e.val);
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < e.width; k++) {
            int at = a->ptr[i] + k, inside = at < a->ptr[i + 1];
            e.col[k * e.rows + i] = inside ? a->idx[at] : 0;
            if (inside)
                SLAB(&e, i, k) = a->val[at];
        }
    return e;
}

static void mul_ell(const ell *e, const double *x, double *y)
{
    for (int i = 0; i < e->rows; i++)
        y[i] = 0;
    for (int k = 0; k < e->width; k++)
        for (int i = 0; i < e->rows; i++)
            y[i] += SLAB(e, i, k) * x[e->col[k * e->rows + i]];
}

int main(void)
{
    enum { N = 30, M = 24, COUNT = 200 };
    triple *t = malloc(COUNT * sizeof *t);
    uint32_t seed = 12345;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        t[i] = (triple){(int32_t)((seed >> 8) % N), (int32_t)((seed >> 18) % M), (double)(seed % 7) - 3};
    }
    csr *a = compress(t, COUNT, N, M), *at = transpose(a), *back = transpose(at);
    CHECK(back->ptr[N] == a->ptr[N]);
    CHECK(!memcmp(back->idx, a->idx, a->ptr[N] * sizeof(int)));
    CHECK(!memcmp(back->val, a->val, a->ptr[N] * sizeof(double)));
    double x[M], y[N], z[N], w[M], u[M];
    for (int i = 0; i < M; i++)
        x[i] = i % 5 - 2;
    mul(a, x, y);
    ell e = pad(a);
    mul_ell(&e, x, z);
    double sum = 0;
    for (int i = 0; i < N; i++) {
        CHECK(y[i] == z[i]);
        sum = sum * 0.5 + y[i];
    }
    mul_transposed(a, y, w);
    mul(at, y, u);
    for (int i = 0; i < M; i++)
        CHECK(w[i] == u[i]);
    printf("%d entries, width %d, %.6f %.1f\n", a->ptr[N], e.width, sum, w[3]);
    free(e.col), free(e.val), free(t);
    drop(a), drop(at), drop(back);
    return check_done();
}
