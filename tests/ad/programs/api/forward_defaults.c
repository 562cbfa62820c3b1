/* Forward mode without markers: floats are dup, integers const, pointers dup; float and struct results. */
#include <math.h>
#include <stdio.h>

double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, float, float);
typedef struct { double re, im; } cplx;
cplx __enzyme_fwddiff_struct(void *, cplx, cplx);
void __enzyme_fwddiff_void(void *, double *, double *, int);

static double powi(double x, int n)
{
    double r = 1;
    while (n > 0) {
        if (n & 1)
            r *= x;
        x *= x;
        n >>= 1;
    }
    return r;
}
static float gauss(float x) { return expf(-x * x); }
static cplx csquare(cplx z) { return (cplx){z.re * z.re - z.im * z.im, 2 * z.re * z.im}; }
static void cumulative(double *x, int n)
{
    for (int i = 1; i < n; i++)
        x[i] = x[i] * x[i - 1];
}

int main(void)
{
    double d = __enzyme_fwddiff((void *)powi, 1.1, 1.0, 13);
    if (!(fabs(d - 13 * pow(1.1, 12)) < 1e-12)) {
        printf("powi: %g\n", d);
        return 1;
    }
    float f = __enzyme_fwddiff_float((void *)gauss, 0.5f, 2.0f);
    if (!(fabsf(f + 2 * expf(-0.25f)) < 1e-6f)) {
        printf("gauss: %g\n", f);
        return 1;
    }
    cplx z = __enzyme_fwddiff_struct((void *)csquare, (cplx){1, 2}, (cplx){0.5, -1});
    if (!(z.re == 2 * (0.5 + 2) && z.im == 2 * (-1 + 1))) {
        printf("square: %g %g\n", z.re, z.im);
        return 1;
    }
    double x[4] = {2, 3, 0.5, 4}, t[4] = {1, 0, 0, 1};
    __enzyme_fwddiff_void((void *)cumulative, x, t, 4);
    if (!(x[3] == 12 && t[1] == 3 && t[2] == 1.5 && t[3] == 1.5 * 4 + 3)) {
        printf("cumulative: %g; %g %g %g\n", x[3], t[1], t[2], t[3]);
        return 1;
    }
    return 0;
}
