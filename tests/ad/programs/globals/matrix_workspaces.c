/* Matrices with row pointers, kept by static locals, made anew when the size changes. */
#include "check.h"

typedef struct {
    unsigned m, n;
    double **me, *base;
} MAT;
typedef struct {
    unsigned dim;
    double *ve;
} VEC;
static MAT *m_get(int m, int n)
{
    MAT *a = calloc(1, sizeof *a);
    a->m = m;
    a->n = n;
    a->base = calloc(m * n, sizeof(double));
    a->me = calloc(m, sizeof(double *));
    for (int i = 0; i < m; i++)
        a->me[i] = a->base + i * n;
    return a;
}
static void m_free(MAT *a)
{
    free(a->base);
    free(a->me);
    free(a);
}
static MAT *m_resize(MAT *a, int m, int n)
{
    if (a && a->m == (unsigned)m && a->n == (unsigned)n)
        return a;
    if (a)
        m_free(a);
    return m_get(m, n);
}
static VEC *v_resize(VEC *v, int n)
{
    if (!v) {
        v = calloc(1, sizeof *v);
    }
    if (v->dim < (unsigned)n) {
        free(v->ve);
        v->ve = calloc(n, sizeof(double));
    }
    v->dim = n;
    return v;
}
static MAT *mlt(const MAT *a, const MAT *b, MAT *c)
{
    for (unsigned i = 0; i < a->m; i++)
        for (unsigned j = 0; j < b->n; j++) {
            double s = 0;
            for (unsigned k = 0; k < a->n; k++)
                s += a->me[i][k] * b->me[k][j];
            c->me[i][j] = s;
        }
    return c;
}
double f(const double *x, int n)
{
    static MAT *A = NULL, *B = NULL, *C = NULL;
    static VEC *v = NULL;
    A = m_resize(A, n, n);
    B = m_resize(B, n, n);
    C = m_resize(C, n, n);
    v = v_resize(v, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A->me[i][j] = x[i] * x[j] + (i == j);
            B->me[i][j] = sin(x[i] - x[j]);
        }
    mlt(A, B, C);
    for (int i = 0; i < n; i++) {
        v->ve[i] = 0;
        for (int j = 0; j < n; j++)
            v->ve[i] += C->me[i][j] * x[j];
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v->ve[i] * (i + 1);
    return s;
}
int main(void)
{
    int s[] = {2, 5, 3, 3, 6};
    for (int k = 0; k < 5; k++)
        CHECK(f, s[k]);
    return failures != 0;
}
