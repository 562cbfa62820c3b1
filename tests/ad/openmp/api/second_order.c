// Hessians: forward over reverse, and reverse over forward, of a parallel function.
#include <math.h>
#include <stdio.h>
#define N 7
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
double __enzyme_fwddiff_d(void *, ...);
int enzyme_dup, enzyme_const;
static double f(const double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += sin(x[i] * x[(i + 1) % n]) + x[0] * x[i] * x[i];
    return s;
}
static void gradient(const double *x, double *g, int n) { __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n); }
static double slope(const double *x, const double *d, int n) { return __enzyme_fwddiff_d((void *)f, enzyme_dup, x, d, enzyme_const, n); }
// A sum of squares at its minimum: the gradient is zero, but it changes.
static double squares(const double *w, const double *a, const double *y, int rows, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < rows; i++) {
        double r = -y[i];
        for (int k = 0; k < n; k++)
            r += w[k] * a[i * n + k];
        s += r * r;
    }
    return s;
}
static void gradient_of_squares(const double *w, double *g, const double *a, const double *y, int rows, int n)
{
    __enzyme_autodiff((void *)squares, enzyme_dup, w, g, enzyme_const, a, enzyme_const, y, enzyme_const, rows, enzyme_const, n);
}
static int minimum(void)
{
    enum { ROWS = 64 };
    double a[ROWS * N], y[ROWS] = {0}, w[N], v[N], g[N] = {0}, h[N] = {0}, expected[N] = {0};
    int bad = 0;
    for (int i = 0; i < ROWS * N; i++)
        a[i] = i * 7 % 13 - 6;
    for (int k = 0; k < N; k++) {
        w[k] = k + 1;
        v[k] = k % 3 - 0.5;
    }
    for (int i = 0; i < ROWS; i++) {
        double along = 0;
        for (int k = 0; k < N; k++) {
            y[i] += w[k] * a[i * N + k];
            along += v[k] * a[i * N + k];
        }
        for (int k = 0; k < N; k++)
            expected[k] += 2 * along * a[i * N + k];
    }
    __enzyme_fwddiff((void *)gradient_of_squares, enzyme_dup, w, v, enzyme_dup, g, h, enzyme_const, a, enzyme_const, y, enzyme_const, (int)ROWS, enzyme_const, N);
    for (int k = 0; k < N; k++)
        if (!(fabs(h[k] - expected[k]) < 1e-9) || g[k] != 0) {
            printf("at the minimum, %d: %g and %g, not 0 and %g\n", k, g[k], h[k], expected[k]);
            bad = 1;
        }
    return bad;
}
int main(void)
{
    double x[N], h[N][N];
    int bad = minimum();
    for (int i = 0; i < N; i++)
        x[i] = 0.5 + 0.2 * i;
    for (int i = 0; i < N; i++) {
        double d[N] = {0}, g[N] = {0}, b[N] = {0}, up[N] = {0}, low[N] = {0}, e = 1e-6, keep = x[i];
        for (int j = 0; j < N; j++)
            h[i][j] = 0;
        d[i] = 1;
        __enzyme_fwddiff((void *)gradient, enzyme_dup, x, d, enzyme_dup, g, h[i], enzyme_const, N);
        __enzyme_autodiff((void *)slope, enzyme_dup, x, b, enzyme_const, d, enzyme_const, N);
        x[i] = keep + e, gradient(x, up, N), x[i] = keep - e, gradient(x, low, N), x[i] = keep;
        for (int j = 0; j < N; j++) {
            double numeric = (up[j] - low[j]) / (2 * e);
            if (!(fabs(h[i][j] - numeric) < 1e-6) || !(fabs(b[j] - numeric) < 1e-6)) {
                printf("H[%d][%d]: %g and %g, not %g\n", i, j, h[i][j], b[j], numeric);
                bad = 1;
            }
        }
    }
    return bad;
}
