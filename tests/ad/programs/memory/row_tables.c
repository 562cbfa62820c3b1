// Matrices given as arrays of pointers: rows in one block, one by one, in any order, overlapping, the same twice, shadows that share rows or lack some.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { MOST = 1200 };

/* Elimination in place. */
static double eliminate(double **a, const double *unused, int n)
{
    double sum = 0;
    (void)unused;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / (4 + a[k][k] * a[k][k]);
            a[i][k] = factor;
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    for (int i = 0; i < n; i++)
        sum += sin(a[i][i]) + a[i][0];
    return sum;
}

/* A product that is added to the matrix itself, and a vector. */
static double multiply(double **a, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += 0.1 * x[j] * a[(i * 2) % n][j];
    for (int i = n - 1; i >= 0; i--) {
        double dot = 0;
        for (int j = 0; j < n; j++)
            dot += a[i][j] * x[j];
        sum += dot * dot;
    }
    return sum;
}

/* Rows walked backwards, columns by twos. */
static double sweep(double **a, const double *x, int n)
{
    double sum = 0;
    for (int i = n - 1; i > 0; i--)
        for (int j = 0; j + 1 < n; j += 2) {
            a[i - 1][j] += a[i][j] * a[i][j + 1] * x[i];
            sum += a[i - 1][j];
        }
    return sum;
}

typedef double function(double **, const double *, int);

static double value(function *f, const double *memory, const int *offsets, const double *x, int n)
{
    double copy[MOST], *rows[64];
    memcpy(copy, memory, sizeof copy);
    for (int i = 0; i < n; i++)
        rows[i] = copy + offsets[i];
    return f(rows, x, n);
}

static int check(const char *what, int which, const int *offsets, int lacking, int n)
{
    static double memory[MOST], copy[MOST], bar[MOST];
    double x[64], x_bar[64] = {0}, *rows[64], *bars[64];
    function *const all[] = {eliminate, multiply, sweep};
    int wrong = 0;
    for (int k = 0; k < MOST; k++) {
        memory[k] = copy[k] = sin(3.7 * k) + 0.2;
        bar[k] = 0;
    }
    for (int i = 0; i < 64; i++)
        x[i] = cos(1.3 * i);
    for (int i = 0; i < n; i++) {
        rows[i] = copy + offsets[i];
        bars[i] = i == lacking ? NULL : bar + offsets[i];
    }
    switch (which) {
    case 0: __enzyme_autodiff((void *)eliminate, enzyme_dup, rows, bars, enzyme_dup, x, x_bar, enzyme_const, n); break;
    case 1: __enzyme_autodiff((void *)multiply, enzyme_dup, rows, bars, enzyme_dup, x, x_bar, enzyme_const, n); break;
    default: __enzyme_autodiff((void *)sweep, enzyme_dup, rows, bars, enzyme_dup, x, x_bar, enzyme_const, n); break;
    }
    for (int probe = 0; probe < 12 && lacking < 0; probe++) {
        double h = 1e-6;
        int k = probe * 37 % (n > 0 ? offsets[n - 1] + n : 1);
        double kept = memory[k];
        memory[k] = kept + h;
        double more = value(all[which], memory, offsets, x, n);
        memory[k] = kept - h;
        double less = value(all[which], memory, offsets, x, n), slope = (more - less) / (2 * h);
        memory[k] = kept;
        if (fabs(slope - bar[k]) > 1e-5 * (1 + fabs(slope))) {
            printf("%s, function %d, n = %d: element %d is %.9g, not %.9g\n", what, which, n, k, bar[k], slope);
            wrong = 1;
        }
    }
    for (int probe = 0; probe < 3 && n > 0; probe++) {
        double h = 1e-6;
        int k = probe * 5 % n;
        double kept = x[k];
        x[k] = kept + h;
        double more = value(all[which], memory, offsets, x, n);
        x[k] = kept - h;
        double less = value(all[which], memory, offsets, x, n), slope = (more - less) / (2 * h);
        x[k] = kept;
        if (lacking < 0 && fabs(slope - x_bar[k]) > 1e-5 * (1 + fabs(slope))) {
            printf("%s, function %d, n = %d: x[%d] is %.9g, not %.9g\n", what, which, n, k, x_bar[k], slope);
            wrong = 1;
        }
    }
    return wrong;
}

/* Distinct rows whose shadows are one: their gradients add up there. */
static int check_shared_shadows(void)
{
    enum { N = 6 };
    double a[N][N], b[N][N], g[N][N], shared[N][N], x[N], x_bar[N], *rows[N], *bars[N];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                a[i][j] = b[i][j] = 0.1 * i + sin(j + 2.0 * i);
                (pass ? shared : g)[i][j] = 0;
            }
            x[i] = 0.3 * i;
            x_bar[i] = 0;
            rows[i] = pass ? b[i] : a[i];
            bars[i] = pass ? shared[i / 2 * 2] : g[i];
        }
        /* Nothing is written to the rows here, so a shadow that two of them share only collects. */
        extern double quadratic(double **, const double *, int);
        __enzyme_autodiff((void *)quadratic, enzyme_dup, rows, bars, enzyme_dup, x, x_bar, enzyme_const, (int)N);
    }
    int wrong = 0;
    for (int i = 0; i < N; i += 2)
        for (int j = 0; j < N; j++)
            wrong |= fabs(shared[i][j] - g[i][j] - g[i + 1][j]) > 1e-12 * (1 + fabs(shared[i][j]));
    if (wrong)
        printf("shared shadows do not add up\n");
    return wrong;
}

double quadratic(double **a, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += a[i][j] * a[i][j] * (x[j] + a[n - 1 - i][j]);
    return sum;
}

int main(void)
{
    int wrong = 0;
    for (int n = 0; n <= 19; n += n < 3 ? 1 : 16)
        for (int which = 0; which < 3; which++) {
            int block[64], falling[64], mixed[64], overlapping[64], twice[64], spread[64];
            for (int i = 0; i < n; i++) {
                block[i] = i * n;
                falling[i] = (n - 1 - i) * n;
                mixed[i] = i * 7 % (n > 0 ? n : 1) * n;
                overlapping[i] = i * (n > 1 ? n - 1 : 1);
                twice[i] = i / 2 * n;
                spread[i] = i * (n + 3) + 2;
            }
            wrong |= check("one block", which, block, -1, n);
            wrong |= check("falling", which, falling, -1, n);
            wrong |= check("mixed", which, mixed, -1, n);
            wrong |= check("overlapping", which, overlapping, -1, n);
            wrong |= check("the same twice", which, twice, -1, n);
            wrong |= check("spread", which, spread, -1, n);
            wrong |= check("a shadow is missing", which, block, n / 2, n);
        }
    return wrong | check_shared_shadows();
}
