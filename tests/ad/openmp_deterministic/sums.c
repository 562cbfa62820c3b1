// Sums in which all threads take part; prints the gradient to the bit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
static double f(const double *x, const double *w, double *y, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double t = w[0] * x[i];
        for (int j = 0; j < 7; j++) t += w[j] * x[(i * 7 + j * j) % n];
        y[i] = t;
        s += sin(t);
    }
    return s * s;
}
int main(void)
{
    int n = 997;
    double *x = malloc(n * 8), *dx = calloc(n, 8), *y = malloc(n * 8), *dy = calloc(n, 8), w[7], dw[7] = {0};
    for (int i = 0; i < n; i++) x[i] = sin(i);
    for (int i = 0; i < 7; i++) w[i] = cos(i);
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, w, dw, enzyme_dup, y, dy, enzyme_const, n);
    for (int i = 0; i < n; i++) printf("%a\n", dx[i]);
    for (int i = 0; i < 7; i++) printf("%a\n", dw[i]);
    return 0;
}
