/* Explicit heat equation with two heap buffers swapped by pointer each step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);

double heat(const double *init, int n, int steps, double alpha)
{
    double *cur = malloc(sizeof(double) * n), *next = malloc(sizeof(double) * n);
    memcpy(cur, init, sizeof(double) * n);
    for (int t = 0; t < steps; t++) {
        next[0] = cur[0];
        next[n - 1] = cur[n - 1];
        for (int i = 1; i < n - 1; i++)
            next[i] = cur[i] + alpha * (cur[i - 1] - 2.0 * cur[i] + cur[i + 1]) * (1.0 + 0.1 * cur[i]);
        double *swap = cur;
        cur = next;
        next = swap;
    }
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += cur[i] * cur[i] * cur[i];
    free(cur);
    free(next);
    return s;
}

int main(void)
{
    enum { N = 17, T = 9 };
    double u[N], du[N];
    for (int i = 0; i < N; i++) {
        u[i] = exp(-0.1 * (i - 8) * (i - 8));
        du[i] = 0;
    }
    double da = __enzyme_autodiff((void *)heat, enzyme_dup, u, du, enzyme_const, N, enzyme_const, T, enzyme_out, 0.2);
    double e = 1e-6, fa = (heat(u, N, T, 0.2 + e) - heat(u, N, T, 0.2 - e)) / (2 * e);
    int bad = !(fabs(da - fa) < 1e-7 * (1 + fabs(fa)));
    for (int i = 0; i < N; i++) {
        double k = u[i];
        u[i] = k + e;
        double p = heat(u, N, T, 0.2);
        u[i] = k - e;
        double m = heat(u, N, T, 0.2);
        u[i] = k;
        if (!(fabs(du[i] - (p - m) / (2 * e)) < 1e-7))
            bad = 1;
    }
    if (bad)
        puts("heat: wrong gradient");
    return bad;
}
