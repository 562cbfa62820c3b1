// Each thread reads elements of its own; the shadows of the two arrays overlap in the second call.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;

static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

static double f(const double *a, const double *b, double *c, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) { c[i] = a[i] * b[i]; s += sin(c[i]) + a[i]; }
    return s;
}
int main(void)
{
    for (int n = 0; n < 40; n += 3) {
        double *a = calloc(n + 1, 8), *b = calloc(n + 1, 8), *c = calloc(n + 1, 8), *da = calloc(n + 1, 8), *db = calloc(n + 1, 8), *dc = calloc(n + 1, 8);
        for (int i = 0; i < n; i++) a[i] = 0.1 * i + 1, b[i] = cos(i);
        __enzyme_autodiff((void *)f, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, enzyme_const, n);
        for (int i = 0; i < n; i++) check("da", 0, da[i], cos(a[i] * b[i]) * b[i] + 1), check("db", 0, db[i], cos(a[i] * b[i]) * a[i]);
        free(a); free(b); free(c); free(da); free(db); free(dc);
    }
    /* Overlapping: b is a + 1, with shadows alike. */
    enum { N = 1000 };
    static double x[N + 1], dx[N + 1], c[N], dc[N];
    for (int i = 0; i <= N; i++) x[i] = 1 + 0.01 * i;
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, x + 1, dx + 1, enzyme_dup, c, dc, enzyme_const, (int)N);
    for (int i = 0; i <= N; i++) {
        double w = 0;
        if (i < N) w += cos(x[i] * x[i + 1]) * x[i + 1] + 1;
        if (i > 0) w += cos(x[i - 1] * x[i]) * x[i - 1];
        check("dx", 0, dx[i], w);
    }
    return failures != 0;
}
