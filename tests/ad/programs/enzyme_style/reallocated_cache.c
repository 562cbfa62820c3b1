/* A buffer that grows by realloc while it is filled, values reread from it in later iterations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

static double fibonacci_like(double *x, int n)
{
    int capacity = 1, size = 0;
    double *v = (double *)malloc(sizeof(double));
    for (int i = 0; i < n; i++) {
        if (size == capacity) {
            capacity = 2 * capacity + 1;
            v = (double *)realloc(v, sizeof(double) * capacity);
        }
        v[size++] = i < 2 ? x[i] : sin(v[i - 1]) + v[i - 2] * x[i % 2];
    }
    double r = 0;
    for (int i = 0; i < size; i++)
        r += v[i];
    free(v);
    return r;
}

static double shrinking(double *x, int n)
{
    double *v = calloc(n, sizeof *v), s = 0;
    for (int i = 0; i < n; i++)
        v[i] = x[0] * i + x[1];
    while (n > 1) {
        for (int i = 0; i + 1 < n; i++)
            v[i] = v[i] * v[i + 1] * 0.2;
        v = realloc(v, --n * sizeof *v);
        s += v[n - 1];
    }
    free(v);
    return s;
}

int main(void)
{
    double (*functions[2])(double *, int) = {fibonacci_like, shrinking};
    double x[2] = {0.7, 0.4}, g[2][2] = {{0}};
    __enzyme_autodiff((void *)fibonacci_like, x, g[0], 12);
    __enzyme_autodiff((void *)shrinking, x, g[1], 6);
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 2; i++) {
            double k = x[i];
            x[i] = k + 1e-6;
            double a = functions[f](x, f ? 6 : 12);
            x[i] = k - 1e-6;
            double b = functions[f](x, f ? 6 : 12);
            x[i] = k;
            if (!(fabs(g[f][i] - (a - b) / 2e-6) < 1e-7 * (1 + fabs(g[f][i])))) {
                printf("function %d, x[%d]: %g vs %g\n", f, i, g[f][i], (a - b) / 2e-6);
                return 1;
            }
        }
    return 0;
}
