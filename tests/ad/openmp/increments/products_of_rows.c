// Products of matrices that are arrays of pointers to rows, in several orders: threads have copies of all rows, which lie one behind the other. Tables of the caller and of the function's own, parts of them,
// rows of float.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 19 };

static void *table(int rows, int columns, unsigned long size)
{
    char **a = malloc((unsigned long)rows * sizeof *a);
    for (int i = 0; i < rows; i++)
        a[i] = calloc((unsigned long)columns, size);
    return a;
}

static void drop(void *rows, int n)
{
    void **a = rows;
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
}

static double squares(double **c, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += c[i][j] * c[i][j] * (1 + (i + j) % 3);
    return s;
}

static double dots(double **a, double **b, int n)
{
    double **c = table(n, n, sizeof(double));
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t = 0;
            for (int k = 0; k < n; k++)
                t += a[i][k] * b[k][j];
            c[i][j] = t;
        }
    double s = squares(c, n);
    drop(c, n);
    return s;
}

static double rows_at_once(double **a, double **b, int n)
{
    double **c = table(n, n, sizeof(double));
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < n; i++)
        for (int k = 1; k < n - 1; k++) {
            double f = a[i][k];
            for (int j = 2; j < n; j++)
                c[i][j] += f * b[k][j] * b[k + 1][j - 1];
        }
    double s = squares(c, n);
    drop(c, n);
    return s;
}

static double of_its_own(double **a, double **b, int n)
{
    float **f = table(n, n, sizeof(float));
    double **c = table(n, n, sizeof(double)), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            f[i][j] = (float)b[i][j];
#pragma omp parallel
    {
#pragma omp for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    c[i][j] += a[i][k] * (double)f[k][(j + k) % n];
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                for (int j = 0; j < i; j++)
                    s += c[k][j] * (double)f[i][j];
    }
    drop(f, n);
    drop(c, n);
    return s;
}

static double *x[2][N], *bar[2][N], *dot[2][N];

static int check(const char *name, double (*f)(double **, double **, int), int n, double tolerance)
{
    int bad = 0;
    double sum = 0, forward = 0;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < N; i++)
            memset(bar[m][i], 0, N * sizeof(double));
    for (int twice = 0; twice < 2; twice++)
        if (f == dots) {
            __enzyme_autodiff((void *)dots, enzyme_dup, x[0], bar[0], enzyme_dup, x[1], bar[1], n);
            forward = __enzyme_fwddiff((void *)dots, enzyme_dup, x[0], dot[0], enzyme_dup, x[1], dot[1], n);
        } else if (f == rows_at_once) {
            __enzyme_autodiff((void *)rows_at_once, enzyme_dup, x[0], bar[0], enzyme_dup, x[1], bar[1], n);
            forward = __enzyme_fwddiff((void *)rows_at_once, enzyme_dup, x[0], dot[0], enzyme_dup, x[1], dot[1], n);
        } else {
            __enzyme_autodiff((void *)of_its_own, enzyme_dup, x[0], bar[0], enzyme_dup, x[1], bar[1], n);
            forward = __enzyme_fwddiff((void *)of_its_own, enzyme_dup, x[0], dot[0], enzyme_dup, x[1], dot[1], n);
        }
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                sum += bar[m][i][j] / 2 * dot[m][i][j];
                if ((i * N + j) % 4 && n == N)
                    continue;
                double at = x[m][i][j], h = 1e-5, expected = 0;
                for (int k = -1; k < 2; k += 2) {
                    x[m][i][j] = at + k * h;
                    expected += k * f(x[0], x[1], n) / (2 * h);
                }
                x[m][i][j] = at;
                if (!(fabs(bar[m][i][j] / 2 - expected) <= tolerance * (1 + fabs(expected)))) {
                    printf("%s %d: %d[%d][%d] is %.10g, not %.10g\n", name, n, m, i, j, bar[m][i][j] / 2, expected);
                    bad = 1;
                }
            }
    if (!(fabs(forward - sum) <= 10 * tolerance * (1 + fabs(sum)))) {
        printf("%s %d: the tangent is %.10g, not %.10g\n", name, n, forward, sum);
        bad = 1;
    }
    return bad;
}

int main(void)
{
    int bad = 0;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < N; i++) {
            x[m][i] = malloc(N * sizeof(double));
            bar[m][i] = malloc(N * sizeof(double));
            dot[m][i] = malloc(N * sizeof(double));
            for (int j = 0; j < N; j++) {
                // What a float holds.
                x[m][i][j] = floor(32 * sin(1.7 * i + 0.9 * j + m)) / 64;
                dot[m][i][j] = cos(0.3 * i - 1.1 * j * m);
            }
        }
    for (int n = 1; n <= N; n += n < 4 ? 1 : 5) {
        bad |= check("dots", dots, n, 1e-6);
        bad |= check("rows at once", rows_at_once, n, 1e-6);
    }
    bad |= check("dots", dots, N, 1e-6);
    bad |= check("rows at once", rows_at_once, N, 1e-6);
    // Differences do not go through float.
    double s = 0, forward = 0;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < N; i++)
            memset(bar[m][i], 0, N * sizeof(double));
    __enzyme_autodiff((void *)of_its_own, enzyme_dup, x[0], bar[0], enzyme_dup, x[1], bar[1], N);
    forward = __enzyme_fwddiff((void *)of_its_own, enzyme_dup, x[0], dot[0], enzyme_dup, x[1], dot[1], N);
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                s += bar[m][i][j] * dot[m][i][j];
    if (!(fabs(s - forward) <= 1e-4 * (1 + fabs(s)))) {
        printf("of its own: the tangent is %.10g, not %.10g\n", forward, s);
        bad = 1;
    }
    return bad;
}
