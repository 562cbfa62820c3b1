// A workspace in a static local, grown on demand, between calls of the function and of its gradient.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
static double obj(const double *x, int n)
{
    static double *buf; static int size;
    if (n > size) { buf = realloc(buf, n * sizeof *buf); size = n; }
    double s = 0;
    for (int i = 0; i < n; i++) buf[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) s += buf[i] * buf[(i + 1) % n];
    return s;
}
int main(void)
{
    double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}; int bad = 0;
    for (int n = 3; n < 9; n += 1) for (int r = 0; r < 2; r++) {
    double d[8] = {0};
    __enzyme_autodiff((void *)obj, enzyme_dup, a, d, enzyme_const, n);
    for (int i = 0; i < n; i++) { double h = 1e-6, s = a[i]; a[i] = s + h; double u = obj(a, n); a[i] = s - h; double l = obj(a, n); a[i] = s; if (fabs(d[i]-(u-l)/2/h) > 1e-5*fabs(d[i])) bad++; }
    }
    printf("bad %d\n", bad);
    return bad;
}
