// Kernels chosen at run time and called in parallel loops.
#include "../../check.h"
typedef double (*kernel)(double, const double *, int);
static double gauss(double t, const double *w, int k) { return exp(-t * t * w[k]); }
static double linear(double t, const double *w, int k) { return t * w[k]; }
static double soft(double t, const double *w, int k) { return log1p(exp(t)) * w[0] * w[k]; }
static const kernel table[] = {gauss, linear, soft};
static void map(double (*g)(double), const double *in, double *out, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = g(in[i]);
}
static double f(double *x, int n)
{
    double y[64], s = 0;
    map(n % 2 ? sin : tanh, x, y, n);
    map(sqrt, x, x + 0 == y ? y : y + n, n);
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        kernel k = table[i % 3];
        s += k(y[i], x, i) + 0.5 * y[n + i];
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 14) | CHECK(f, 15); }
