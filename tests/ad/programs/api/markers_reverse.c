/* enzyme_const, enzyme_dup, enzyme_out, enzyme_dupnoneed side by side, in every order; gradients accumulate. */
#include <math.h>
#include <stdio.h>

int enzyme_const;
int enzyme_dup;
int enzyme_out;
int enzyme_dupnoneed;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_v(void *, ...);

static double f(double a, const double *v, int n, double b, double *out)
{
    double s = a;
    for (int i = 0; i < n; i++) {
        s = s * v[i] + b;
        out[i] = s;
    }
    return s * s;
}

static int close(double x, double y) { return fabs(x - y) < 1e-6 * (1 + fabs(y)); }

static double value(double a, double *v, double b)
{
    double o[3];
    return f(a, v, 3, b, o);
}

int main(void)
{
    double v[3] = {0.9, 1.4, -0.6}, dv[3] = {0}, out[3] = {0}, dout[3] = {0}, a = 0.7, b = 1.2, e = 1e-6;
    double da = __enzyme_autodiff((void *)f, enzyme_out, a, enzyme_dup, v, dv, enzyme_const, 3, enzyme_const, b, enzyme_dup, out, dout);
    double db = __enzyme_autodiff((void *)f, enzyme_const, a, enzyme_const, v, enzyme_const, 3, enzyme_out, b, enzyme_dupnoneed, out, dout);
    if (!close(da, (value(a + e, v, b) - value(a - e, v, b)) / (2 * e)) || !close(db, (value(a, v, b + e) - value(a, v, b - e)) / (2 * e))) {
        printf("scalars: %g %g\n", da, db);
        return 1;
    }
    double once[3] = {dv[0], dv[1], dv[2]};
    __enzyme_autodiff_v((void *)f, enzyme_const, a, enzyme_dup, v, dv, enzyme_const, 3, enzyme_const, b, enzyme_dup, out, dout);
    for (int i = 0; i < 3; i++) {
        double k = v[i];
        v[i] = k + e;
        double hi = value(a, v, b);
        v[i] = k - e;
        double lo = value(a, v, b);
        v[i] = k;
        if (!close(once[i], (hi - lo) / (2 * e)) || !close(dv[i], 2 * once[i])) {
            printf("v[%d]: %g then %g, expected %g\n", i, once[i], dv[i], (hi - lo) / (2 * e));
            return 1;
        }
    }
    /* Seeds in the output array count as well. */
    double dv2[3] = {0};
    dout[0] = 1;
    __enzyme_autodiff_v((void *)f, enzyme_const, a, enzyme_dup, v, dv2, enzyme_const, 3, enzyme_const, b, enzyme_dup, out, dout);
    if (!close(dv2[0], once[0] + a) || dout[0] != 0) {
        printf("seed: %g, expected %g\n", dv2[0], once[0] + a);
        return 1;
    }
    return 0;
}
