/* Sums over short rows from their end, and over pairs with the second number first: gcc 11 and 12 get such sums wrong once they are written out. */
#include <math.h>
#include <stdio.h>

enum { N = 17, M = 8 };
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double rows(const double *k, double (*x)[M], int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = M - 1; j >= 0; j--)
            s += k[0] * x[i][j];
    return 0.001 * s * s;
}

static double pairs(const double *k, const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += k[0] * x[2 * i + 1];
        s += k[0] * x[2 * i];
    }
    return 0.001 * s * s;
}

static int differ(double a, double b)
{
    return !(fabs(a - b) < 1e-10 * (1 + fabs(b)));
}

int main(void)
{
    static double x[N * M], d[N * M];
    double k[1] = {1.25}, dk[1] = {0}, total = 0;
    for (int i = 0; i < N * M; i++) {
        x[i] = (i * 7 % 11) * 0.25 - 1;
        d[i] = 0;
    }
    for (volatile int i = 0; i < N * M; i++)
        total += x[i];
    double by_k = 0.002 * k[0] * total * total, by_x = 0.002 * k[0] * k[0] * total;
    for (int which = 0; which < 2; which++) {
        dk[0] = 0;
        for (int i = 0; i < N * M; i++)
            d[i] = 0;
        if (which == 0)
            __enzyme_autodiff((void *)rows, enzyme_dup, k, dk, enzyme_dup, x, d, enzyme_const, N);
        else
            __enzyme_autodiff((void *)pairs, enzyme_dup, k, dk, enzyme_dup, x, d, enzyme_const, N * M / 2);
        if (differ(dk[0], by_k)) {
            printf("%d: by k %.12g, not %.12g\n", which, dk[0], by_k);
            return 1;
        }
        for (int i = 0; i < N * M; i++)
            if (differ(d[i], by_x)) {
                printf("%d: by x[%d] %.12g, not %.12g\n", which, i, d[i], by_x);
                return 1;
            }
        /* All of x grows by 1, k by 2. */
        double one = N * M * by_x + 2 * by_k, t;
        dk[0] = 2;
        for (int i = 0; i < N * M; i++)
            d[i] = 1;
        if (which == 0)
            t = __enzyme_fwddiff((void *)rows, enzyme_dup, k, dk, enzyme_dup, x, d, enzyme_const, N);
        else
            t = __enzyme_fwddiff((void *)pairs, enzyme_dup, k, dk, enzyme_dup, x, d, enzyme_const, N * M / 2);
        if (differ(t, one)) {
            printf("%d: tangent %.12g, not %.12g\n", which, t, one);
            return 1;
        }
    }
    return 0;
}
