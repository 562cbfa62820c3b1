// The same derivative again and again in a loop, with shadows inside of larger arrays and different functions in turn.
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static double quadratic(const double *x, const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += x[i] * a[i * n + j] * x[j];
    return s;
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    enum { N = 3, M = 4 };
    double points[M][N], shadows[M][N] = {{0}}, a[N * N], da[N * N] = {0};
    for (int i = 0; i < N * N; i++) a[i] = i + 1;
    for (int m = 0; m < M; m++)
        for (int i = 0; i < N; i++) points[m][i] = m + 0.5 * i;
    for (int m = 0; m < M; m++) __enzyme_autodiff((void *)quadratic, enzyme_dup, points[m], shadows[m], enzyme_dup, a, da, enzyme_const, N);
    for (int m = 0; m < M; m++)
        for (int i = 0; i < N; i++) {
            double want = 0;
            for (int j = 0; j < N; j++) want += (a[i * N + j] + a[j * N + i]) * points[m][j];
            check("row", shadows[m][i], want);
        }
    double want = 0;
    for (int m = 0; m < M; m++) want += points[m][0] * points[m][2];
    check("matrix", da[2], want);
    return failures;
}
