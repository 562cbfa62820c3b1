/* Arrays of row pointers that the function fills itself: with blocks that are all different, and with some that are not. */
#include "check.h"

enum { N = 7 };
void __enzyme_autodiff(void *, ...);

/* An elimination: each row is a block of its own. */
static double eliminated(const double *x, int n)
{
    double **a = malloc((size_t)(n + 1) * sizeof *a), sum = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] = malloc((size_t)n * sizeof **a);
        for (int j = 0; j < n; j++)
            a[i][j] = x[i * n + j];
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            a[i][k] = factor;
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    for (int i = 0; i < n; i++)
        sum += a[i][i] * a[i][0];
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    return sum;
}

/* As above, but rows change their places on the way. */
static double exchanged(const double *x, int n)
{
    double *a[N], sum = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] = malloc((size_t)n * sizeof **a);
        for (int j = 0; j < n; j++)
            a[i][j] = x[i * n + j];
    }
    for (int k = 0; k + 1 < n; k++) {
        double *t = a[k];
        a[k] = a[k + 1];
        a[k + 1] = t;
        for (int i = k + 1; i < n; i++)
            for (int j = k; j < n; j++)
                a[i][j] -= 0.3 * a[i][k] * a[k][j];
    }
    for (int i = 0; i < n; i++) {
        sum += a[i][i] * a[i][0];
        free(a[i]);
    }
    return sum;
}

/* Two rows are the same. */
static double repeated(const double *x, int n)
{
    double *a[N] = {0}, sum = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] = malloc((size_t)n * sizeof **a);
        for (int j = 0; j < n; j++)
            a[i][j] = x[i * n + j];
    }
    double *kept = a[n - 1];
    a[n - 1] = a[0];
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = a[i][j] * 0.5 + a[k][j] * a[k][j];
    for (int i = 0; i < n; i++)
        sum += a[i][i] * a[i][0];
    for (int i = 0; i < n - 1; i++)
        free(a[i]);
    free(kept);
    return sum;
}

/* Each time step has rows of its own, and a sweep over rows reads its neighbours. */
static double stepped(const double *x, int n)
{
    double sum = 0.0;
    for (int t = 0; t < 3; t++) {
        double **a = malloc((size_t)(n + 1) * sizeof *a);
        for (int i = 0; i < n; i++) {
            a[i] = malloc((size_t)n * sizeof **a);
            for (int j = 0; j < n; j++)
                a[i][j] = x[i * n + j] * (0.4 + 0.1 * t);
        }
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = sin(a[i - 1][j]) * a[i][j] + (j ? 0.3 * a[i][j - 1] : 0.0);
        for (int i = n - 2; i >= 0; i--)
            for (int j = 0; j < n; j++)
                a[i][j] *= a[i + 1][j];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                sum += a[i][j] * a[i][j];
            free(a[i]);
        }
        free(a);
    }
    return sum;
}

static double x[N * N], x_bar[N * N];
static int n;
static double of_eliminated(void) { return eliminated(x, n); }
static double of_exchanged(void) { return exchanged(x, n); }
static double of_repeated(void) { return repeated(x, n); }
static double of_stepped(void) { return stepped(x, n); }

int main(void)
{
    int failures = 0;
    for (n = 1; n <= N; n += 2) {
        check_fill(x, n * n, 0.1, 0.4);
        for (int i = 0; i < n; i++)
            x[i * n + i] += 1.0;
        memset(x_bar, 0, sizeof x_bar);
        __enzyme_autodiff((void *)eliminated, enzyme_dup, x, x_bar, enzyme_const, n);
        failures += check_gradient("eliminated", of_eliminated, x, x_bar, n * n);
        memset(x_bar, 0, sizeof x_bar);
        __enzyme_autodiff((void *)exchanged, enzyme_dup, x, x_bar, enzyme_const, n);
        failures += check_gradient("exchanged", of_exchanged, x, x_bar, n * n);
        memset(x_bar, 0, sizeof x_bar);
        __enzyme_autodiff((void *)stepped, enzyme_dup, x, x_bar, enzyme_const, n);
        failures += check_gradient("stepped", of_stepped, x, x_bar, n * n);
        if (n > 1) {
            memset(x_bar, 0, sizeof x_bar);
            __enzyme_autodiff((void *)repeated, enzyme_dup, x, x_bar, enzyme_const, n);
            failures += check_gradient("repeated", of_repeated, x, x_bar, n * n);
        }
    }
    return failures != 0;
}
