// size: 200000
// Conjugate gradients on a tridiagonal system of `size` unknowns, each step in regions of its own.
#include "../ad/gradient.h"
static double dot(const double *a, const double *b, int n)
{
    double s = 0.0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
static void apply(const double *d, const double *x, double *y, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? x[i - 1] : 0.0, right = i < n - 1 ? x[i + 1] : 0.0;
        y[i] = (2.0 + d[i]) * x[i] - left - right;
    }
}
static double solve(const double *d, const double *b, double *x, int n)
{
    double *r = malloc(sizeof(double) * (size_t)n), *p = malloc(sizeof(double) * (size_t)n), *q = malloc(sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        x[i] = 0.0;
        r[i] = b[i];
        p[i] = b[i];
    }
    double rr = dot(r, r, n);
    for (int it = 0; it < 30; it++) {
        apply(d, p, q, n);
        double alpha = rr / dot(p, q, n);
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double fresh = dot(r, r, n), beta = fresh / rr;
        rr = fresh;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
    }
    double e = dot(x, b, n);
    free(r);
    free(p);
    free(q);
    return e;
}
static struct array d, b;
static double *x, *x_bar;
static int n;
static void setup(int size)
{
    n = size;
    d = variables((size_t)n, 0.5, 1.5);
    b = variables((size_t)n, -1, 1);
    x = data((size_t)n, 0, 0);
    x_bar = data((size_t)n, 0, 0);
}
static double objective(void) { return solve(d.x, b.x, x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)solve, enzyme_dup, d.x, d.bar, enzyme_dup, b.x, b.bar, enzyme_dup, x, x_bar, enzyme_const, n); }
