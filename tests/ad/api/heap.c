// Memory that is allocated, filled and freed inside; structs with pointers and their shadow structs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
double __enzyme_fwddiff_double(void *, ...);
extern int enzyme_dup, enzyme_const;
struct matrix { int rows, columns; double *data; };
static double inside(const double *x, int n) {
    double *t = malloc(n * sizeof *t), s = 0;
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) s += t[i] * t[n - 1 - i];
    free(t);
    return s;
}
static double norm(const struct matrix *m) {
    double s = 0;
    for (int i = 0; i < m->rows * m->columns; i++) s += m->data[i] * m->data[i];
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
    double x[3] = {1, 2, 3}, g[3] = {0}, t[3] = {1, 0, 0};
    __enzyme_autodiff((void *)inside, x, g, 3);
    check("x0", g[0], 4 * x[0] * 9), check("x1", g[1], 4 * 8), check("x2", g[2], 4 * 3 * 1);
    check("forward", __enzyme_fwddiff_double((void *)inside, x, t, 3), 36);
    struct matrix m = {1, 3, x}, d = {1, 3, calloc(3, sizeof(double))};
    __enzyme_autodiff((void *)norm, enzyme_dup, &m, &d);
    check("matrix", d.data[2], 6);
    free(d.data);
    return failures;
}
