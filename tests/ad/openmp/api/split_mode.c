// Forward and reverse sweep in two calls; several tapes live at the same time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 20
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
int enzyme_dup, enzyme_const;
static void step(double *u, const double *k, int n)
{
    double v[N];
#pragma omp parallel
    {
        double local = k[0];
#pragma omp for
        for (int i = 0; i < n; i++)
            v[i] = sin(u[i]) * k[i] + 0.1 * u[(i + 1) % n] * local;
#pragma omp for
        for (int i = 0; i < n; i++)
            u[i] = v[i] * v[n - 1 - i];
    }
}
static double run(const double *x, const double *k)
{
    double u[N], s = 0;
    for (int i = 0; i < N; i++)
        u[i] = x[i];
    for (int t = 0; t < 3; t++)
        step(u, k, N);
    for (int i = 0; i < N; i++)
        s += u[i] * (i + 1);
    return s;
}
int main(void)
{
    double x[N], k[N], u[N], ub[N], kb[N] = {0};
    void *tape[3];
    int bad = 0;
    for (int i = 0; i < N; i++) {
        x[i] = u[i] = 1 + 0.3 * sin(i);
        k[i] = 0.8 + 0.02 * i;
        ub[i] = 0;
    }
    for (int t = 0; t < 3; t++)
        tape[t] = __enzyme_augmentfwd((void *)step, enzyme_dup, u, ub, enzyme_dup, k, kb, enzyme_const, N);
    for (int i = 0; i < N; i++)
        ub[i] = i + 1;
    for (int t = 2; t >= 0; t--)
        __enzyme_reverse((void *)step, enzyme_dup, u, ub, enzyme_dup, k, kb, enzyme_const, N, tape[t]);
    for (int i = 0; i < N; i++) {
        double h = 1e-6, keep = x[i], up, low;
        x[i] = keep + h, up = run(x, k), x[i] = keep - h, low = run(x, k), x[i] = keep;
        if (!(fabs((up - low) / (2 * h) - ub[i]) < 1e-6)) {
            printf("u[%d]: %g, not %g\n", i, ub[i], (up - low) / (2 * h));
            bad = 1;
        }
        keep = k[i];
        k[i] = keep + h, up = run(x, k), k[i] = keep - h, low = run(x, k), k[i] = keep;
        if (!(fabs((up - low) / (2 * h) - kb[i]) < 1e-6)) {
            printf("k[%d]: %g, not %g\n", i, kb[i], (up - low) / (2 * h));
            bad = 1;
        }
    }
    return bad;
}
