/* Second derivatives of a function that uses memory of before: reverse over reverse, and over forward. */
#include "check.h"

typedef struct {
    int n;
    double *r, *p;
    double *diag;
    double **rows;
} CG;
static CG *ctx;
static double acc;
static double *hist;
static CG *create(int n)
{
    CG *c = malloc(sizeof *c);
    c->n = n;
    c->r = malloc(n * sizeof(double));
    c->p = malloc(n * sizeof(double));
    c->diag = malloc(n * sizeof(double));
    c->rows = malloc(n * sizeof *c->rows);
    for (int i = 0; i < n; i++) {
        c->diag[i] = 4 + i;
        c->rows[i] = malloc(n * sizeof(double));
    }
    hist = calloc(8, sizeof *hist);
    return c;
}
static double f(const double *x, int n)
{
    acc = 0;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) {
            ctx->r[i] = x[i] * ctx->diag[i];
            for (int j = 0; j < n; j++)
                ctx->rows[i][j] = ctx->r[i] * x[j];
        }
        for (int i = 0; i < n; i++) {
            ctx->p[i] = ctx->r[i] * ctx->rows[(i + 1) % n][i];
            acc += ctx->p[i] * x[i];
        }
        hist[k] = acc;
    }
    return acc * acc * 1e-3 + hist[1] * hist[0] * 1e-2;
}
static void grad(const double *x, double *g, int n)
{
    for (int i = 0; i < n; i++)
        g[i] = 0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
}
static double dir(const double *x, const double *t, int n)
{
    return __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, n);
}
static double gg(const double *x, int n)
{
    double g[8];
    grad(x, g, n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += g[i] * (i + 1);
    return s + f(x, n) * .1;
}
static double dd(const double *x, int n)
{
    double t[8];
    for (int i = 0; i < n; i++)
        t[i] = cos(i);
    double a = dir(x, t, n);
    return a * a * 1e-4 + dir(x, x, n);
}
int main(void)
{
    for (int n = 2; n < 6; n += 3) {
        ctx = create(n);
        CHECK(gg, n);
        CHECK(dd, n);
        for (int i = 0; i < n; i++)
            free(ctx->rows[i]);
        free(ctx->rows);
        free(ctx->diag);
        free(ctx->p);
        free(ctx->r);
        free(ctx);
        free(hist);
    }
    return failures != 0;
}
