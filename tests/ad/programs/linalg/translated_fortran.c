/* Householder's QR as a translator makes it of Fortran: arrays begin in front of themselves, locals are static. */
#include <math.h>
#include <stdio.h>
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup;

typedef int integer;
typedef double doublereal;

static int reflect_(integer *n, doublereal *a, integer *lda, doublereal *tau)
{
    integer a_dim1, a_offset, i__1, i__2;
    doublereal d__1;
    static integer i__, j, k;
    static doublereal norm, beta;
    a_dim1 = *lda;
    a_offset = 1 + a_dim1;
    a -= a_offset;
    --tau;
    i__1 = *n - 1;
    for (k = 1; k <= i__1; ++k) {
        norm = 0.;
        i__2 = *n;
        for (i__ = k; i__ <= i__2; ++i__) {
            d__1 = a[i__ + k * a_dim1];
            norm += d__1 * d__1;
        }
        norm = sqrt(norm);
        beta = a[k + k * a_dim1] >= 0. ? -norm : norm;
        tau[k] = (beta - a[k + k * a_dim1]) / beta;
        for (i__ = k + 1; i__ <= i__2; ++i__)
            a[i__ + k * a_dim1] /= a[k + k * a_dim1] - beta;
        a[k + k * a_dim1] = beta;
        for (j = k + 1; j <= i__2; ++j) {
            d__1 = a[k + j * a_dim1];
            for (i__ = k + 1; i__ <= i__2; ++i__)
                d__1 += a[i__ + k * a_dim1] * a[i__ + j * a_dim1];
            d__1 *= tau[k];
            a[k + j * a_dim1] -= d__1;
            for (i__ = k + 1; i__ <= i__2; ++i__)
                a[i__ + j * a_dim1] -= d__1 * a[i__ + k * a_dim1];
        }
    }
    return 0;
}

static doublereal weighed(const doublereal *v, unsigned long n, doublereal by)
{
    doublereal s = 0;
    unsigned long m;
    --v;
    for (m = 1; m <= n; m++)
        s += v[m] * by;
    return s;
}

static double f(const double *x)
{
    doublereal a[16], tau[4], s = 0;
    integer n = 4;
    for (int i = 0; i < 16; i++)
        a[i] = x[i % 3] * (i * 3 % 7 + 1) + (i % 5 == 0 ? 2 : 0) + cos(i);
    reflect_(&n, a, &n, tau);
    s += weighed(tau, 3, x[0]);
    for (int i = 0; i < 4; i++)
        s += log(fabs(a[i * 5])) + a[i];
    return s;
}

int main(void)
{
    double x[3] = {0.43, 0.91, 0.77}, g[3] = {0};
    int bad = 0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, g);
    for (int i = 0; i < 3; i++) {
        double h = 1e-6, q = x[i], e[3] = {0};
        x[i] = q + h;
        double up = f(x);
        x[i] = q - h;
        double down = f(x);
        x[i] = q;
        e[i] = 1;
        double t = __enzyme_fwddiff((void *)f, enzyme_dup, x, e), want = (up - down) / (2 * h);
        if (fabs(g[i] - want) > 1e-6 * (1 + fabs(want)) || fabs(t - g[i]) > 1e-11 * (1 + fabs(want))) {
            printf("x[%d]: %g, forward %g, not %g\n", i, g[i], t, want);
            bad = 1;
        }
    }
    return bad;
}
