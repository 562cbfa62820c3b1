// The same parallel function with active and inactive arguments, in one program.
#include <math.h>
#include <stdio.h>
#define N 18
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
static double dot(const double *a, const double *b, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i] * a[i] * b[i];
    return s;
}
static double twice(const double *a, const double *b, int n) { return dot(a, b, n) * dot(b, a, n); }
int main(void)
{
    double a[N], b[N], da[N] = {0}, db[N] = {0}, ea[N] = {0}, eb[N] = {0};
    int bad = 0;
    for (int i = 0; i < N; i++) {
        a[i] = sin(i) + 1.5;
        b[i] = cos(i) + 1.2;
    }
    __enzyme_autodiff((void *)twice, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, N);
    __enzyme_autodiff((void *)twice, enzyme_dup, a, ea, enzyme_const, b, enzyme_const, N);
    __enzyme_autodiff((void *)twice, enzyme_const, a, enzyme_dup, b, eb, enzyme_const, N);
    double p = dot(a, b, N), q = dot(b, a, N);
    for (int i = 0; i < N; i++) {
        double wa = 2 * a[i] * b[i] * q + p * b[i] * b[i], wb = a[i] * a[i] * q + p * 2 * b[i] * a[i];
        if (fabs(da[i] - wa) > 1e-9 * wa || fabs(db[i] - wb) > 1e-9 * wb || fabs(ea[i] - wa) > 1e-9 * wa || fabs(eb[i] - wb) > 1e-9 * wb) {
            printf("%d: %g %g %g %g, not %g %g\n", i, da[i], db[i], ea[i], eb[i], wa, wb);
            bad = 1;
        }
    }
    return bad;
}
