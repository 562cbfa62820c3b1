// A time loop of unknown length: what the iterations keep grows.
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

static double f(double *u, double *v, int n)
{
    int steps = 0;
#pragma omp parallel
    {
        double *from = u, *to = v;
        int k = 0;
        while (1) {
#pragma omp for
            for (int i = 1; i < n - 1; i++) {
                double a = from[i - 1] * from[i], b = sin(a) * from[i + 1];
                for (int j = 0; j < i % 3; j++) b = b * b + from[i + 1];
                to[i] = from[i] + 0.1 * b;
            }
#pragma omp single
            { to[0] = from[0] * from[1]; to[n - 1] = from[n - 1]; }
            double *s = from; from = to; to = s;
            k++;
            if (k * k > 20) break;
        }
#pragma omp master
        steps = k;
    }
    double s = 0, *r = steps % 2 ? v : u;
    for (int i = 0; i < n; i++) s += r[i] * r[i];
    return s;
}
int main(void)
{
    for (int N = 3; N < 60; N += 7) {
        double x[64], u[64], v[64] = {0}, du[64] = {0}, dv[64] = {0};
        for (int i = 0; i < N; i++) x[i] = u[i] = 0.5 + 0.1 * sin(i);
        __enzyme_autodiff((void *)f, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_const, N);
        for (int i = 0; i < N; i++) {
            double h = 1e-6, p[64], q[64], b[64] = {0};
            memcpy(p, x, sizeof x); memcpy(q, x, sizeof x); p[i] += h; q[i] -= h;
            double fp = f(p, b, N);
            double fq = f(q, b, N);
            check("du", 0, du[i], (fp - fq) / (2 * h));
        }
    }
    return failures != 0;
}
