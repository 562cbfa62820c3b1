/* Parameters whose names are those that generated functions would like to have. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
int enzyme_dup, enzyme_const, enzyme_out;

static double f(int n, double *x, double *x_bar, double tape, double *result, double *result_bar, double *x_bar_bar)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        result[i] = x[i] * x_bar[i] * tape;
        result_bar[i] += result[i] * x[i];
        s += result_bar[i] * result[i] * x_bar_bar[i];
    }
    return s;
}

/* What a user writes to get products of the Hessian with a vector. */
static double square(double *x) { return x[0] * x[0] * x[1]; }

static double gradient(double *x, double *x_bar)
{
    x_bar[0] = x_bar[1] = 0;
    __enzyme_autodiff((void *)square, enzyme_dup, x, x_bar);
    return x_bar[0] * x_bar[1];
}

static int failures;

static void check(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want)))) {
        printf("%s: %.15g, not %.15g\n", what, got, want);
        failures++;
    }
}

int main(void)
{
    double x[1] = {1.5}, y[1] = {0.5}, r[1] = {0}, q[1] = {2}, z[1] = {3};
    double dx[1] = {0}, dy[1] = {0}, dr[1] = {0}, dq[1] = {0}, dz[1] = {0};
    /* s = (q + x * x * y * t) * x * y * t * z */
    double t = 0.7, v = 1.5 * 0.5 * t, all = 2 + v * 1.5;
    double dt = __enzyme_autodiff((void *)f, enzyme_const, 1, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_out, t, enzyme_dup, r, dr,
                                  enzyme_dup, q, dq, enzyme_dup, z, dz);
    check("x", dx[0], (2 * v * v + all * 0.5 * t) * 3);
    check("q", dq[0], v * 3);
    check("z", dz[0], all * v);
    check("t", dt, (v * 1.5 * v + all * v) / t * 3);
    q[0] = 2;
    dx[0] = dy[0] = dr[0] = dq[0] = dz[0] = 0;
    void *tape = __enzyme_augmentfwd((void *)f, enzyme_const, 1, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_out, t, enzyme_dup, r, dr,
                                     enzyme_dup, q, dq, enzyme_dup, z, dz);
    dt = __enzyme_reverse((void *)f, enzyme_const, 1, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_out, t, enzyme_dup, r, dr, enzyme_dup, q,
                          dq, enzyme_dup, z, dz, 2.0, tape);
    check("x, split", dx[0], (2 * v * v + all * 0.5 * t) * 6);
    check("t, split", dt, (v * 1.5 * v + all * v) / t * 6);

    double a[2] = {1.1, 0.6}, da[2] = {1, 0}, g[2], dg[2];
    check("forward over reverse", __enzyme_fwddiff((void *)gradient, enzyme_dup, a, da, enzyme_dup, g, dg), 6 * a[0] * a[0] * a[1]);
    check("Hessian", dg[0], 2 * a[1]);
    double back[2] = {0}, none[2] = {0};
    __enzyme_autodiff((void *)gradient, enzyme_dup, a, back, enzyme_dup, g, none);
    check("reverse over reverse", back[0], 6 * a[0] * a[0] * a[1]);
    return failures != 0;
}
