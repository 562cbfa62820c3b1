/* Soft dynamic time warping: a table with soft minima of three neighbours. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double softmin3(double a, double b, double c, double gamma)
{
    double m = a < b ? (a < c ? a : c) : (b < c ? b : c);
    return m - gamma * log(exp((m - a) / gamma) + exp((m - b) / gamma) + exp((m - c) / gamma));
}

double soft_dtw(const double *x, int n, const double *y, int m, double gamma)
{
    double *r = malloc(sizeof(double) * (n + 1) * (m + 1));
#define R(i, j) r[(i) * (m + 1) + (j)]
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            R(i, j) = 1e10;
    R(0, 0) = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            double d = x[i - 1] - y[j - 1];
            R(i, j) = d * d + softmin3(R(i - 1, j), R(i, j - 1), R(i - 1, j - 1), gamma);
        }
    double result = R(n, m);
#undef R
    free(r);
    return result;
}

int main(void)
{
    double x[7], y[6], dx[7] = {0}, dy[6] = {0};
    for (int i = 0; i < 7; i++)
        x[i] = sin(0.6 * i);
    for (int i = 0; i < 6; i++)
        y[i] = sin(0.7 * i + 0.2);
    __enzyme_autodiff((void *)soft_dtw, enzyme_dup, x, dx, enzyme_const, 7, enzyme_dup, y, dy, enzyme_const, 6, enzyme_const, 0.3);
    double sum = 0;
    for (int i = 0; i < 13; i++) {
        double *v = i < 7 ? x + i : y + i - 7, g = i < 7 ? dx[i] : dy[i - 7], k = *v;
        sum += g;
        *v = k + 1e-6;
        double a = soft_dtw(x, 7, y, 6, 0.3);
        *v = k - 1e-6;
        double b = soft_dtw(x, 7, y, 6, 0.3);
        *v = k;
        if (!(fabs(g - (a - b) / 2e-6) < 1e-6)) {
            printf("variable %d: %g vs %g\n", i, g, (a - b) / 2e-6);
            return 1;
        }
    }
    if (!(fabs(sum) < 1e-12)) { /* shift invariance */
        printf("sum %g\n", sum);
        return 1;
    }
    return 0;
}
