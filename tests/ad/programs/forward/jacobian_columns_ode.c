/* Jacobian of an implicit integrator by forward columns and by reverse rows: the same matrix. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define D 3
int enzyme_dup, enzyme_const;
void __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);

static void lorenz(const double *s, double *d)
{
    d[0] = 10 * (s[1] - s[0]);
    d[1] = s[0] * (28 - s[2]) - s[1];
    d[2] = s[0] * s[1] - 8.0 / 3 * s[2];
}

static void flow(const double *start, double *end, int steps)
{
    double s[D], k1[D], k2[D], t[D];
    memcpy(s, start, sizeof s);
    for (int n = 0; n < steps; n++) {
        lorenz(s, k1);
        for (int i = 0; i < D; i++)
            t[i] = s[i] + 0.01 * k1[i];
        lorenz(t, k2);
        for (int i = 0; i < D; i++)
            s[i] += 0.005 * (k1[i] + k2[i]);
    }
    memcpy(end, s, sizeof s);
}

int main(void)
{
    double x[D] = {1, 1.2, 20}, y[D], j[D][D], r[D][D];
    for (int c = 0; c < D; c++) {
        double e[D] = {0}, col[D] = {0};
        e[c] = 1;
        __enzyme_fwddiff((void *)flow, enzyme_dup, x, e, enzyme_dup, y, col, enzyme_const, 60);
        for (int i = 0; i < D; i++)
            j[i][c] = col[i];
    }
    for (int i = 0; i < D; i++) {
        double seed[D] = {0};
        seed[i] = 1;
        memset(r[i], 0, sizeof r[i]);
        __enzyme_autodiff((void *)flow, enzyme_dup, x, r[i], enzyme_dup, y, seed, enzyme_const, 60);
    }
    for (int i = 0; i < D; i++)
        for (int c = 0; c < D; c++)
            if (!(fabs(j[i][c] - r[i][c]) < 1e-10 * (1 + fabs(j[i][c])))) {
                printf("[%d][%d]: forward %.14g, reverse %.14g\n", i, c, j[i][c], r[i][c]);
                return 1;
            }
    return 0;
}
