// Numbers that are computed for all, infinite ones too, and kept in arrays of which only a part is read: masks, triangles.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static double off_diagonal(const double *x, int n)
{
    double r[n][n], s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = x[i] - x[j];
            r[i][j] = 1 / sqrt(d * d);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j)
                s += r[i][j];
    return s;
}

static double triangle(const double *x, int n)
{
    double *r = malloc(n * n * sizeof *r), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            r[i * n + j] = log(fabs(x[i] - x[j])) * x[j];
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            s += r[i * n + j];
    free(r);
    return s;
}

static double masked(const double *x, int n)
{
    double inverse[n], s = 0;
    for (int i = 0; i < n; i++)
        inverse[i] = (x[i] + 1) / x[i];
    for (int i = 0; i < n; i++)
        s += x[i] != 0 ? inverse[i] : 2;
    return s;
}

static int failures;
static void try(const char *what, double (*f)(const double *, int), const double *b, int skip)
{
    enum { N = 4 };
    for (int k = 0; k < N; k++) {
        double x[N] = {0.5, 0, 1.5, 2}, h = 1e-6;
        x[k] += h;
        double d = f(x, N);
        x[k] -= 2 * h;
        d = k == skip ? 0 : (d - f(x, N)) / (2 * h);
        if (!(fabs(b[k] - d) <= 1e-6 * (1 + fabs(d)))) {
            printf("%s %d: %g instead of %g\n", what, k, b[k], d);
            failures++;
        }
    }
}

int main(void)
{
    volatile int n = 4;
    double x[4] = {0.5, 0, 1.5, 2}, a[4] = {0}, b[4] = {0}, c[4] = {0};
    __enzyme_autodiff((void *)off_diagonal, enzyme_dup, x, a, enzyme_const, n);
    __enzyme_autodiff((void *)triangle, enzyme_dup, x, b, enzyme_const, n);
    __enzyme_autodiff((void *)masked, enzyme_dup, x, c, enzyme_const, n);
    try("off_diagonal", off_diagonal, a, -1);
    try("triangle", triangle, b, -1);
    try("masked", masked, c, 1);
    return failures != 0;
}
