// Tagged values that are a double or floats in the same bytes, copied as a whole, sorted and handed around.
#include <math.h>
#include <stdio.h>

int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct value {
    int single;
    union {
        double d;
        float f[2];
    } u;
};

static struct value pack(double x, int single)
{
    struct value v = {.single = single};
    if (single)
        v.u.f[0] = (float)x, v.u.f[1] = (float)(2 * x);
    else
        v.u.d = x;
    return v;
}

static double f(const double *x)
{
    struct value all[4], turned[4], one;
    for (int k = 0; k < 4; k++)
        all[k] = pack(x[k], k % 2);
    for (int k = 0; k < 4; k++)
        turned[3 - k] = all[k];
    double s = 0;
    for (int k = 0; k < 4; k++) {
        one = turned[k];
        s += one.single ? one.u.f[0] * one.u.f[1] : one.u.d * one.u.d * one.u.d;
    }
    return s;
}

int main(void)
{
    double x[4] = {0.5, 1.25, -0.75, 2}, b[4] = {0}, should[4] = {0.75, 5, 1.6875, 8};
    int failures = 0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, b);
    for (int k = 0; k < 4; k++) {
        double t[4] = {0};
        t[k] = 1;
        double d = __enzyme_fwddiff((void *)f, enzyme_dup, x, t);
        if (fabs(b[k] - should[k]) > 1e-6 || fabs(d - should[k]) > 1e-6) {
            printf("%d: %g and %g instead of %g\n", k, b[k], d, should[k]);
            failures++;
        }
    }
    return failures != 0;
}
