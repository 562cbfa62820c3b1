// Several directions at once in forward mode: the same numbers as one at a time, for widths that fill vectors and widths that do not.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_width;
int enzyme_dup, enzyme_const, enzyme_width;
void __enzyme_fwddiff(void *, ...);

enum { N = 4, OUT = 6 };

/* Matrices of its own, loops, branches, roots at zero, a table copied as a whole. */
static void chain(const double *x, int steps, double *out)
{
    double a[N][N], b[N][N], kept[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = sin(x[i] * (j + 1)) + (i == j ? 2.0 : 0.0);
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0.0;
                for (int k = 0; k < N; k++)
                    sum += a[i][k] * a[k][j];
                b[i][j] = sum / (1.0 + fabs(sum));
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = a[i][j] > 0.3 ? b[i][j] + 0.1 * a[j][i] : 0.5 * b[i][j] * x[(i + j) % N];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            kept[i * N + j] = a[i][j];
    double norm = 0.0, zero = 0.0;
    for (int i = 0; i < N * N; i++)
        norm += kept[i] * kept[i];
    for (int i = 0; i < 3; i++)
        zero += (x[i] - x[i]) * kept[i];
    out[0] = sqrt(norm);
    out[1] = exp(-norm) + pow(fabs(kept[3]) + 0.1, x[1]);
    out[2] = fmax(kept[5], kept[6]) - fmin(kept[7], kept[8]);
    out[3] = sqrt(zero);
    out[4] = kept[9] / (x[2] * x[2] + 1.0) - x[3];
    out[5] = (float)kept[10] * 2.0f;
}

static int failures;

static void compare(int width, double got[][OUT], double directions[][N], const double *x, int steps)
{
    for (int l = 0; l < width; l++) {
        double out[OUT] = {0}, dot[OUT] = {0};
        __enzyme_fwddiff((void *)chain, enzyme_dup, x, directions[l], enzyme_const, steps, enzyme_dup, out, dot);
        for (int k = 0; k < OUT; k++)
            if (!(fabs(got[l][k] - dot[k]) <= 1e-12 * (1.0 + fabs(dot[k])))) {
                printf("width %d, direction %d, output %d: %.17g, not %.17g\n", width, l, k, got[l][k], dot[k]);
                failures++;
            }
    }
}

int main(void)
{
    double x[N] = {0.3, -0.7, 1.1, 0.2}, out[OUT], again[OUT], d[13][N], g[13][OUT];
    for (int l = 0; l < 13; l++)
        for (int i = 0; i < N; i++)
            d[l][i] = l < N ? l == i : cos(1.0 + l * 3 + i);
    for (int steps = 0; steps < 4; steps++) {
        chain(x, steps, again);
        memset(g, 0, sizeof g);
        __enzyme_fwddiff((void *)chain, enzyme_width, 2, enzyme_dup, x, d[0], d[1], enzyme_const, steps, enzyme_dup, out, g[0], g[1]);
        compare(2, g, d, x, steps);
        memset(g, 0, sizeof g);
        __enzyme_fwddiff((void *)chain, enzyme_width, 3, enzyme_dup, x, d[0], d[1], d[2], enzyme_const, steps, enzyme_dup, out, g[0], g[1], g[2]);
        compare(3, g, d, x, steps);
        memset(g, 0, sizeof g);
        __enzyme_fwddiff((void *)chain, enzyme_width, 8, enzyme_dup, x, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], enzyme_const, steps, enzyme_dup, out,
                         g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7]);
        compare(8, g, d, x, steps);
        memset(g, 0, sizeof g);
        __enzyme_fwddiff((void *)chain, enzyme_width, 13, enzyme_dup, x, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12],
                         enzyme_const, steps, enzyme_dup, out, g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8], g[9], g[10], g[11], g[12]);
        compare(13, g, d, x, steps);
        for (int k = 0; k < OUT; k++)
            if (!(fabs(out[k] - again[k]) <= 1e-14 * (1.0 + fabs(again[k])))) {
                printf("steps %d, result %d: %.17g, not %.17g\n", steps, k, out[k], again[k]);
                failures++;
            }
        /* Against differences, where the function is smooth. */
        double plus[OUT], minus[OUT], moved[N], h = 1e-6;
        for (int i = 0; i < N; i++)
            moved[i] = x[i] + h * d[7][i];
        chain(moved, steps, plus);
        for (int i = 0; i < N; i++)
            moved[i] = x[i] - h * d[7][i];
        chain(moved, steps, minus);
        for (int k = 0; k < OUT - 1; k++)
            if (!(fabs((plus[k] - minus[k]) / (2 * h) - g[7][k]) < 1e-6 * (1.0 + fabs(g[7][k])))) {
                printf("steps %d, output %d: %.12g, differences %.12g\n", steps, k, g[7][k], (plus[k] - minus[k]) / (2 * h));
                failures++;
            }
    }
    return failures != 0;
}
