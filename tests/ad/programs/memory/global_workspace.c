// Workspaces behind pointers at file scope, allocated by main.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
double *buf; int n; struct grid { int n; double *u, *v; } grid;
void step(const double *x)
{
    for (int i = 0; i < n; i++) buf[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) grid.u[i] = buf[i] * 2;
}
double obj(const double *x)
{
    double s = 0;
    step(x);
    for (int i = 0; i < n; i++) s += buf[i] * buf[(i + 1) % n];
    return s;
}
int main(void)
{
    double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}; int bad = 0;
    n = 8; buf = malloc(n * sizeof *buf); grid.n = n; grid.u = calloc(n, 8); grid.v = calloc(n, 8);
    for (int r = 0; r < 2; r++) {
    double d[8] = {0};
    __enzyme_autodiff((void *)obj, enzyme_dup, a, d);
    for (int i = 0; i < n; i++) { double h = 1e-6, s = a[i]; a[i] = s + h; double u = obj(a); a[i] = s - h; double l = obj(a); a[i] = s; if (fabs(d[i]-(u-l)/2/h) > 1e-5*fabs(d[i])) bad++; }
    }
    printf("bad %d\n", bad);
    return bad;
}
