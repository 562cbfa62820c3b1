// Columns of arrays of pointers to rows, and rows that are read in front of the loop along them: tables of the function's own, two tables with the same rows, tables of the caller whose rows are
// apart, in one block, in part or all the same, or are not looked at.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 11, M = 37 };

static double **table(int rows, int columns)
{
    double **a = malloc((unsigned long)rows * sizeof *a);
    for (int i = 0; i < rows; i++)
        a[i] = calloc((unsigned long)columns, sizeof **a);
    return a;
}

static void drop(double **a, int rows)
{
    for (int i = 0; i < rows; i++)
        free(a[i]);
    free(a);
}

static void layer(double **w, const double *in, double *out, int n, int m)
{
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += w[k][j] * in[k];
        out[j] = tanh(sum);
    }
}

static double own(const double *x, int n, int m)
{
    double **w = table(n, m), **v = malloc((unsigned long)n * sizeof *v), *out = calloc((unsigned long)m, sizeof *out), s = 0;
    for (int i = 0; i < n; i++) {
        v[n - 1 - i] = w[i];
        for (int j = 0; j < m; j++)
            w[i][j] = x[i * m + j];
    }
    layer(w, x, out, n, m);
    // The same rows through another table, by another thread perhaps.
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++)
        for (int k = 0; k < n; k++)
            s += w[k][j] * v[k][(j + 5) % m] * out[j];
    drop(w, n);
    free(v);
    free(out);
    return s;
}

static double columns(double **w, const double *in, int n, int m)
{
    double *out = malloc((unsigned long)m * sizeof *out), s = 0;
    layer(w, in, out, n, m);
    for (int j = 0; j < m; j++)
        s += out[j] * (1 + j % 3);
    free(out);
    return s;
}

static double rows(double **w, const double *in, int n, int m)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += sin(w[i][j]) * w[i][(j + 1) % m] * in[i];
    return s;
}

static double x[N * M], bar[N * M], dot[N * M], in[N], in_bar[N], in_dot[N];

static int compare(const char *name, int i, double got, double expected)
{
    if (fabs(got - expected) <= 1e-6 * (1 + fabs(expected)))
        return 0;
    printf("%s: d/dx[%d] is %.10g, not %.10g\n", name, i, got, expected);
    return 1;
}

static int check(const char *name, double (*f)(double **, const double *, int, int), int way, int n, int m)
{
    double *a[N], *a_bar[N], *a_dot[N], along = 0, forward = 0;
    int bad = 0;
    for (int i = 0; i < N; i++) {
        int at = way == 0 ? i * M : way == 1 ? (N - 1 - i) * M : way == 2 ? i * 7 : way == 3 ? 0 : i / 2 * M;
        a[i] = x + at;
        a_bar[i] = bar + at;
        a_dot[i] = dot + at;
    }
    memset(bar, 0, sizeof bar);
    memset(in_bar, 0, sizeof in_bar);
    if (f == columns) {
        __enzyme_autodiff((void *)columns, enzyme_dup, a, a_bar, enzyme_dup, in, in_bar, n, m);
        forward = __enzyme_fwddiff((void *)columns, enzyme_dup, a, a_dot, enzyme_dup, in, in_dot, n, m);
    } else {
        __enzyme_autodiff((void *)rows, enzyme_dup, a, a_bar, enzyme_dup, in, in_bar, n, m);
        forward = __enzyme_fwddiff((void *)rows, enzyme_dup, a, a_dot, enzyme_dup, in, in_dot, n, m);
    }
    for (int i = 0; i < N * M; i++) {
        along += bar[i] * dot[i];
        if (i % 5 && n)
            continue;
        double at = x[i], h = 1e-5;
        x[i] = at + h;
        double up = f(a, in, n, m);
        x[i] = at - h;
        double down = f(a, in, n, m);
        x[i] = at;
        bad |= compare(name, i, bar[i], (up - down) / (2 * h));
    }
    for (int i = 0; i < N; i++)
        along += in_bar[i] * in_dot[i];
    return bad | compare(name, -1, forward, along);
}

int main(void)
{
    int bad = 0;
    for (int i = 0; i < N * M; i++) {
        x[i] = 0.2 + 0.3 * sin(1.3 * i);
        dot[i] = cos(0.7 * i);
    }
    for (int i = 0; i < N; i++) {
        in[i] = 0.5 + 0.1 * i;
        in_dot[i] = 1 - 0.2 * i;
    }
    for (int way = 0; way < 5; way++) {
        bad |= check("columns", columns, way, N, M);
        bad |= check("rows", rows, way, N, M);
    }
    // No row is looked at, so there may be none.
    bad |= check("no rows", columns, 0, 0, M);
    bad |= check("empty rows", rows, 0, N, 0);
    double *none[N] = {0};
    double s = __enzyme_autodiff((void *)rows, enzyme_dup, none, none, enzyme_dup, in, in_bar, N, 0);
    (void)s;
    __enzyme_autodiff((void *)own, enzyme_dup, x, memset(bar, 0, sizeof bar), N, M);
    for (int i = 0; i < N * M; i += 3) {
        double at = x[i], h = 1e-5;
        x[i] = at + h;
        double up = own(x, N, M);
        x[i] = at - h;
        double down = own(x, N, M);
        x[i] = at;
        bad |= compare("own", i, bar[i], (up - down) / (2 * h));
    }
    return bad;
}
