/* Second and third derivatives by nested calls: reverse over reverse, forward over reverse, forward over forward. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_outer(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup;

static double f(double x) { return sin(x) * exp(0.5 * x); }
static double d1(double x) { return __enzyme_autodiff((void *)f, x); }
static double d2_reverse(double x) { return __enzyme_autodiff_outer((void *)d1, x); }
static double d1_forward(double x) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, 1.0); }
static double d2_forward(double x) { return __enzyme_fwddiff((void *)d1, enzyme_dup, x, 1.0); }
static double d2_both_forward(double x) { return __enzyme_fwddiff((void *)d1_forward, enzyme_dup, x, 1.0); }

int main(void)
{
    double x = 0.7, e = exp(0.35), s = sin(x), c = cos(x);
    double w1 = e * (c + 0.5 * s), w2 = e * (c - 0.75 * s), w3 = e * (-0.25 * c - 1.375 * s);
    double got[] = {d1(x), d1_forward(x), d2_reverse(x), d2_forward(x), d2_both_forward(x), __enzyme_fwddiff((void *)d2_forward, enzyme_dup, x, 1.0)};
    double want[] = {w1, w1, w2, w2, w2, w3};
    int bad = 0;
    for (int i = 0; i < 6; i++)
        if (!(fabs(got[i] - want[i]) < 1e-13)) {
            printf("derivative %d: %.14g vs %.14g\n", i, got[i], want[i]);
            bad = 1;
        }
    return bad;
}
