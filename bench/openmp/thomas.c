// size: 10000
// `size` tridiagonal systems of 128 unknowns, each solved by a thread.
#include "../ad/gradient.h"
enum { M = 128 };
static void solve(const double *a, const double *b, double *x)
{
    double c[M], d[M];
    c[0] = -1.0 / a[0];
    d[0] = b[0] / a[0];
    for (int i = 1; i < M; i++) {
        double w = 1.0 / (a[i] + c[i - 1]);
        c[i] = -w;
        d[i] = (b[i] + d[i - 1]) * w;
    }
    x[M - 1] = d[M - 1];
    for (int i = M - 2; i >= 0; i--)
        x[i] = d[i] - c[i] * x[i + 1];
}
static double lines(const double *a, const double *b, double *x, int n)
{
    double sum = 0.0;
#pragma omp parallel for
    for (int l = 0; l < n; l++)
        solve(a + l * M, b + l * M, x + l * M);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n * M; i++)
        sum += x[i] * x[i];
    return sum;
}
static struct array a, b;
static double *x, *x_bar;
static int n;
static void setup(int size)
{
    n = size;
    a = variables((size_t)(n * M), 2.5, 3);
    b = variables((size_t)(n * M), -1, 1);
    x = data((size_t)(n * M), 0, 0);
    x_bar = data((size_t)(n * M), 0, 0);
}
static double objective(void) { return lines(a.x, b.x, x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)lines, enzyme_dup, a.x, a.bar, enzyme_dup, b.x, b.bar, enzyme_dup, x, x_bar, enzyme_const, n); }
