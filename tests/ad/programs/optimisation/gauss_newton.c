/* Gauss-Newton curve fit; the Jacobian row by row with reverse mode seeds. */
#include <math.h>
#include <stdio.h>

#define M 10
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;
void __enzyme_autodiff(void *, ...);

static void residuals(const double *restrict p, const double *restrict t, const double *restrict y, double *restrict r)
{
    for (int i = 0; i < M; i++)
        r[i] = p[0] * exp(-p[1] * t[i]) - y[i];
}

int main(void)
{
    double t[M], y[M], p[2] = {1.0, 0.3}, r[M];
    for (int i = 0; i < M; i++) {
        t[i] = 0.3 * i;
        y[i] = 2.5 * exp(-0.9 * t[i]);
    }
    for (int it = 0; it < 30; it++) {
        double a = 0, b = 0, c = 0, u = 0, v = 0;
        residuals(p, t, y, r);
        for (int i = 0; i < M; i++) {
            double row[2] = {0, 0}, seed[M] = {0}, unused[M];
            seed[i] = 1;
            __enzyme_autodiff((void *)residuals, enzyme_dup, p, row, enzyme_const, t, enzyme_const, y, enzyme_dupnoneed, unused, seed);
            if (!(fabs(row[0] - exp(-p[1] * t[i])) < 1e-13 && fabs(row[1] + p[0] * t[i] * exp(-p[1] * t[i])) < 1e-13)) {
                printf("row %d: %g %g\n", i, row[0], row[1]);
                return 1;
            }
            a += row[0] * row[0];
            b += row[0] * row[1];
            c += row[1] * row[1];
            u += row[0] * r[i];
            v += row[1] * r[i];
        }
        double det = a * c - b * b;
        p[0] -= (c * u - b * v) / det;
        p[1] -= (a * v - b * u) / det;
    }
    if (!(fabs(p[0] - 2.5) < 1e-9 && fabs(p[1] - 0.9) < 1e-9)) {
        printf("fitted %g, %g\n", p[0], p[1]);
        return 1;
    }
    return 0;
}
