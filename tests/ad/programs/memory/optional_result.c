// A matrix that may be NULL is passed on through functions that would store to it.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
typedef struct { int m; double **me; } MAT;
__attribute__((noinline)) static MAT *rot(MAT *q, int n, double c)
{
    if (n > 100) rot(q, n - 1, c);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) q->me[i][j] = q->me[i][j] * c + 1;
    return q;
}
__attribute__((noinline)) static double eig(MAT *a, MAT *q, int n)
{
    double c = 0;
    if (n > 100) eig(a, q, n - 1);
    for (int i = 0; i < n; i++) { c += a->me[i][i] * a->me[i][i]; rot(a, n, c); if (q) rot(q, n, c); }
    return c;
}
static double obj(const double *x, int n) { 
    MAT a; a.m = n; a.me = malloc(n * sizeof *a.me);
    for (int i = 0; i < n; i++) { a.me[i] = malloc(n * sizeof(double)); for (int j = 0; j < n; j++) a.me[i][j] = x[i] * (j + 1); }
    double r = eig(&a, 0, n);
    for (int i = 0; i < n; i++) free(a.me[i]);
    free(a.me);
    return r;
}
int main(void)
{
    double a[3] = {1, 2, 3}, d[3] = {0};
    __enzyme_autodiff((void *)obj, enzyme_dup, a, d, enzyme_const, 3);
    for (int i = 0; i < 3; i++) { double h = 1e-6, s = a[i]; a[i] = s + h; double u = obj(a, 3); a[i] = s - h; double l = obj(a, 3); a[i] = s; printf("%g %g\n", d[i], (u - l) / 2 / h); if (fabs(d[i]-(u-l)/2/h) > 1e-5*fabs(d[i])) return 1; }
    return 0;
}
