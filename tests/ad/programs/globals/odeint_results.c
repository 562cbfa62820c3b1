/* Numerical Recipes: matrices with offset pointers, results that odeint's globals collect. */
#include "check.h"

#define NR_END 1
static double *dvector(long nl, long nh)
{
    double *v = malloc((nh - nl + 1 + NR_END) * sizeof *v);
    return v - nl + NR_END;
}
static void free_dvector(double *v, long nl, long nh)
{
    free(v + nl - NR_END);
    (void)nh;
}
static double **dmatrix(long nrl, long nrh, long ncl, long nch)
{
    long i, nrow = nrh - nrl + 1, ncol = nch - ncl + 1;
    double **m = malloc((nrow + NR_END) * sizeof *m);
    m += NR_END;
    m -= nrl;
    m[nrl] = malloc((nrow * ncol + NR_END) * sizeof(double));
    m[nrl] += NR_END;
    m[nrl] -= ncl;
    for (i = nrl + 1; i <= nrh; i++)
        m[i] = m[i - 1] + ncol;
    return m;
}
static void free_dmatrix(double **m, long nrl, long nrh, long ncl, long nch)
{
    free(m[nrl] + ncl - NR_END);
    free(m + nrl - NR_END);
    (void)nrh;
    (void)nch;
}
int kmax, kount;
double *xp, **yp, dxsav; /* the globals of odeint */
static int nvar;
static void derivs(double t, double y[], double dy[])
{
    for (int i = 1; i <= nvar; i++)
        dy[i] = -y[i] * y[i == nvar ? 1 : i + 1] + 0.1 * t;
}
static void rk4(double y[], double dydx[], int n, double x, double h, double yout[],
                void (*der)(double, double[], double[]))
{
    double *dym = dvector(1, n), *dyt = dvector(1, n), *yt = dvector(1, n), hh = h * .5, h6 = h / 6;
    int i;
    for (i = 1; i <= n; i++)
        yt[i] = y[i] + hh * dydx[i];
    der(x + hh, yt, dyt);
    for (i = 1; i <= n; i++)
        yt[i] = y[i] + hh * dyt[i];
    der(x + hh, yt, dym);
    for (i = 1; i <= n; i++) {
        yt[i] = y[i] + h * dym[i];
        dym[i] += dyt[i];
    }
    der(x + h, yt, dyt);
    for (i = 1; i <= n; i++)
        yout[i] = y[i] + h6 * (dydx[i] + dyt[i] + 2 * dym[i]);
    free_dvector(yt, 1, n);
    free_dvector(dyt, 1, n);
    free_dvector(dym, 1, n);
}
static void rkdumb(double vstart[], int nv, double x1, double x2, int nstep, void (*der)(double, double[], double[]))
{
    double *v = dvector(1, nv), *vout = dvector(1, nv), *dv = dvector(1, nv);
    for (int i = 1; i <= nv; i++) {
        v[i] = vstart[i];
        yp[i][1] = v[i];
    }
    xp[1] = x1;
    double x = x1, h = (x2 - x1) / nstep;
    for (int k = 1; k <= nstep; k++) {
        der(x, v, dv);
        rk4(v, dv, nv, x, h, vout, der);
        x += h;
        xp[k + 1] = x;
        for (int i = 1; i <= nv; i++) {
            v[i] = vout[i];
            yp[i][k + 1] = v[i];
        }
    }
    free_dvector(v, 1, nv);
    free_dvector(vout, 1, nv);
    free_dvector(dv, 1, nv);
}
double f(const double *x, int n)
{
    nvar = n;
    double *vs = dvector(1, n);
    for (int i = 0; i < n; i++)
        vs[i + 1] = x[i];
    rkdumb(vs, n, 0, 1, 6, derivs);
    double s = 0;
    for (int i = 1; i <= n; i++)
        for (int k = 1; k <= 7; k++)
            s += yp[i][k] * k;
    free_dvector(vs, 1, n);
    return s;
}
double g(const double *x, int n)
{
    xp = dvector(1, 20);
    yp = dmatrix(1, n, 1, 20);
    double r = f(x, n);
    free_dmatrix(yp, 1, n, 1, 20);
    free_dvector(xp, 1, 20);
    return r;
}
int main(void)
{
    for (int n = 2; n < 6; n++) {
        CHECK(g, n);
        xp = dvector(1, 20);
        yp = dmatrix(1, n, 1, 20);
        CHECK(f, n);
        free_dmatrix(yp, 1, n, 1, 20);
        free_dvector(xp, 1, 20);
    }
    return failures != 0;
}
