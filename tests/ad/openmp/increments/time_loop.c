// One region with a time loop, exchanged buffers, clamped neighbours and loops without a barrier between.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;

static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

static double f(double *u, double *v, double *w, int n, int steps)
{
#pragma omp parallel
    {
        double *from = u, *to = v;
        for (int t = 0; t < steps; t++) {
#pragma omp for
            for (int i = 0; i < n; i++) {
                int l = i > 0 ? i - 1 : i, r = i < n - 1 ? i + 1 : i;
                to[i] = from[i] + 0.1 * (from[l] * from[r] - from[i]);
            }
#pragma omp for nowait
            for (int i = 0; i < n; i++) w[i] += to[i] * to[i];
            double *s = from; from = to; to = s;
#pragma omp barrier
        }
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i];
    return s;
}
int main(void)
{
    enum { N = 40 };
    double x[N], u[N], v[N] = {0}, w[N] = {0}, du[N] = {0}, dv[N] = {0}, dw[N] = {0};
    for (int i = 0; i < N; i++) x[i] = u[i] = 0.5 + 0.1 * sin(i);
    __enzyme_autodiff((void *)f, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_dup, w, dw, enzyme_const, (int)N, enzyme_const, 5);
    for (int i = 0; i < N; i++) {
        double h = 1e-6, p[N], q[N], a[N] = {0}, b[N] = {0};
        memcpy(p, x, sizeof x); memcpy(q, x, sizeof x); p[i] += h; q[i] -= h;
        memset(a, 0, sizeof a); double fp = f(p, b, a, N, 5);
        memset(a, 0, sizeof a); double fq = f(q, b, a, N, 5);
        check("du", 0, du[i], (fp - fq) / (2 * h));
    }
    return failures != 0;
}
