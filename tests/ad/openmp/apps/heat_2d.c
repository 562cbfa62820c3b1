/* 2-D heat equation, double buffer swapped by pointer outside the loops; the conductivity is a field */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NX 14
#define NY 11
#define AT(p, i, j) (p)[(i) * NY + (j)]
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
static double misfit(const double *k, const double *u0, const double *target, int steps)
{
    double *u = malloc(NX * NY * sizeof *u), *v = malloc(NX * NY * sizeof *v), s = 0;
    memcpy(u, u0, NX * NY * sizeof *u);
    memcpy(v, u0, NX * NY * sizeof *v);
    for (int t = 0; t < steps; t++) {
        #pragma omp parallel for collapse(2) schedule(static)
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++) {
                double east = 0.5 * (AT(k, i, j) + AT(k, i, j + 1)) * (AT(u, i, j + 1) - AT(u, i, j));
                double west = 0.5 * (AT(k, i, j) + AT(k, i, j - 1)) * (AT(u, i, j) - AT(u, i, j - 1));
                double north = 0.5 * (AT(k, i, j) + AT(k, i - 1, j)) * (AT(u, i - 1, j) - AT(u, i, j));
                double south = 0.5 * (AT(k, i, j) + AT(k, i + 1, j)) * (AT(u, i, j) - AT(u, i + 1, j));
                AT(v, i, j) = AT(u, i, j) + 0.1 * (east - west + north - south);
            }
        double *w = u; u = v; v = w;
    }
    #pragma omp parallel for reduction(+:s)
    for (int c = 0; c < NX * NY; c++) s += (u[c] - target[c]) * (u[c] - target[c]);
    free(u);
    free(v);
    return s;
}
int main(void)
{
    static double k[NX * NY], kb[NX * NY], u[NX * NY], ub[NX * NY], target[NX * NY];
    int bad = 0;
    for (int c = 0; c < NX * NY; c++) { k[c] = 0.5 + 0.2 * sin(c); u[c] = cos(0.3 * c); target[c] = 0.1 * sin(0.7 * c); }
    __enzyme_autodiff((void *)misfit, enzyme_dup, k, kb, enzyme_dup, u, ub, enzyme_const, target, enzyme_const, 8);
    for (int c = 3; c < NX * NY; c += 17)
        for (int which = 0; which < 2; which++) {
            double *p = which ? u : k, got = which ? ub[c] : kb[c], h = 1e-6, keep = p[c];
            p[c] = keep + h; double up = misfit(k, u, target, 8);
            p[c] = keep - h; double low = misfit(k, u, target, 8);
            p[c] = keep;
            if (fabs((up - low) / (2 * h) - got) > 1e-7 + 1e-6 * fabs(got)) { printf("%s[%d]: %g, not %g\n", which ? "u" : "k", c, got, (up - low) / (2 * h)); bad = 1; }
        }
    return bad;
}
