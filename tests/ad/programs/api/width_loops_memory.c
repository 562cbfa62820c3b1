/* Four tangents through heap memory, loops and calls at once: a full Jacobian in one sweep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int enzyme_dup, enzyme_const, enzyme_width;
void __enzyme_fwddiff(void *, ...);

static void smooth(double *u, int n, double k)
{
    for (int i = 1; i < n - 1; i++)
        u[i] += k * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
}

static void model(const double *p, double *out, int n)
{
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = p[0] * sin(p[1] * i) + p[2];
    for (int s = 0; s < 5; s++)
        smooth(u, n, p[3]);
    for (int i = 0; i < n; i++)
        out[i] = u[i] * u[n - 1 - i];
    free(u);
}

int main(void)
{
    enum { N = 7 };
    double p[4] = {1.1, 0.6, 0.3, 0.1}, e[4][4] = {{0}}, out[N], j[4][N];
    for (int i = 0; i < 4; i++)
        e[i][i] = 1;
    __enzyme_fwddiff((void *)model, enzyme_width, 4, enzyme_dup, p, e[0], e[1], e[2], e[3], enzyme_dup, out, j[0], j[1], j[2], j[3], enzyme_const, N);
    for (int i = 0; i < 4; i++) {
        double k = p[i], a[N], b[N];
        p[i] = k + 1e-6;
        model(p, a, N);
        p[i] = k - 1e-6;
        model(p, b, N);
        p[i] = k;
        for (int o = 0; o < N; o++)
            if (!(fabs(j[i][o] - (a[o] - b[o]) / 2e-6) < 1e-7)) {
                printf("d out[%d] / d p[%d]: %g vs %g\n", o, i, j[i][o], (a[o] - b[o]) / 2e-6);
                return 1;
            }
    }
    return 0;
}
