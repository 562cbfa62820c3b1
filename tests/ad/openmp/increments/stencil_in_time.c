// Neighbouring shares meet at their ends; some shares are too small for two rounds.
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

static double f(double *u, double *v, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) v[i] = 0.5 * u[i] * u[i] + 0.25 * (u[i - 1] * u[i + 1] + u[i + 1]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) u[i] = sin(v[i]);
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += u[i] * (1 + 0.01 * i);
    return s;
}
int main(void)
{
    for (int n = 2; n < 60; n += 5) {
        double u[64], v[64] = {0}, x[64], du[64] = {0}, dv[64] = {0};
        for (int i = 0; i < n; i++) u[i] = x[i] = 0.5 + 0.3 * sin(i);
        __enzyme_autodiff((void *)f, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_const, n, enzyme_const, 3);
        for (int i = 0; i < n; i++) {
            double h = 1e-6, p[64], q[64], w[64] = {0};
            memcpy(p, x, sizeof x); memcpy(q, x, sizeof x); p[i] += h; q[i] -= h;
            double fp = f(p, w, n, 3); double fq = f(q, w, n, 3);
            check("du", 0, du[i], (fp - fq) / (2 * h));
        }
    }
    return failures != 0;
}
