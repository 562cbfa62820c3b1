/* BFGS on a function evaluated through a struct context with a heap buffer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 4
typedef struct { int n; double *scratch; double stiffness; } problem;
int enzyme_const;
int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static double objective(const problem *p, const double *x)
{
    double *t = malloc(p->n * sizeof *t), s = 0;
    for (int i = 0; i < p->n; i++)
        t[i] = cosh(0.5 * (x[i] - i)) - 1;
    for (int i = 0; i < p->n; i++)
        s += t[i] + (i ? p->stiffness * (x[i] - x[i - 1] - 1) * (x[i] - x[i - 1] - 1) * t[i - 1] : 0);
    free(t);
    return s;
}

static void gradient(const problem *p, const double *x, double *g)
{
    memset(g, 0, N * sizeof *g);
    __enzyme_autodiff((void *)objective, enzyme_const, p, enzyme_dup, x, g);
}

int main(void)
{
    problem p = {N, NULL, 0.8};
    double x[N] = {2, -1, 3, 1}, g[N], h[N][N] = {{0}}, d[N], s[N], y[N], fresh[N];
    for (int i = 0; i < N; i++)
        h[i][i] = 1;
    gradient(&p, x, g);
    for (int it = 0; it < 200; it++) {
        double slope = 0, t = 1, f = objective(&p, x);
        for (int i = 0; i < N; i++) {
            d[i] = 0;
            for (int j = 0; j < N; j++)
                d[i] -= h[i][j] * g[j];
            slope += d[i] * g[i];
        }
        for (;; t *= 0.5) {
            double trial[N];
            for (int i = 0; i < N; i++)
                trial[i] = x[i] + t * d[i];
            if (objective(&p, trial) <= f + 1e-4 * t * slope || t < 1e-12)
                break;
        }
        for (int i = 0; i < N; i++)
            x[i] += s[i] = t * d[i];
        gradient(&p, x, fresh);
        double sy = 0, yhy = 0, hy[N];
        for (int i = 0; i < N; i++) {
            y[i] = fresh[i] - g[i];
            g[i] = fresh[i];
            sy += s[i] * y[i];
        }
        if (sy < 1e-14)
            break;
        for (int i = 0; i < N; i++) {
            hy[i] = 0;
            for (int j = 0; j < N; j++)
                hy[i] += h[i][j] * y[j];
        }
        for (int i = 0; i < N; i++)
            yhy += y[i] * hy[i];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                h[i][j] += (1 + yhy / sy) * s[i] * s[j] / sy - (hy[i] * s[j] + s[i] * hy[j]) / sy;
    }
    for (int i = 0; i < N; i++)
        if (!(fabs(x[i] - i) < 1e-4)) {
            printf("x[%d] = %g\n", i, x[i]);
            return 1;
        }
    return 0;
}
