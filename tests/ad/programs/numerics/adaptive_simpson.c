/* Adaptive Simpson quadrature: recursion, with the integrand as a callback and a void pointer for its parameters. */
#include <math.h>
#include <stdio.h>

typedef double integrand(double x, void *data);
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double simpson(integrand *f, void *data, double a, double fa, double b, double fb, double m, double fm, double whole, double eps, int depth)
{
    double lm = 0.5 * (a + m), rm = 0.5 * (m + b), flm = f(lm, data), frm = f(rm, data);
    double left = (m - a) / 6 * (fa + 4 * flm + fm), right = (b - m) / 6 * (fm + 4 * frm + fb);
    double delta = left + right - whole;
    if (depth <= 0 || fabs(delta) < 15 * eps)
        return left + right + delta / 15;
    return simpson(f, data, a, fa, m, fm, lm, flm, left, eps / 2, depth - 1) + simpson(f, data, m, fm, b, fb, rm, frm, right, eps / 2, depth - 1);
}

static double integrate(integrand *f, void *data, double a, double b)
{
    double m = 0.5 * (a + b), fa = f(a, data), fb = f(b, data), fm = f(m, data);
    return simpson(f, data, a, fa, b, fb, m, fm, (b - a) / 6 * (fa + 4 * fm + fb), 1e-9, 20);
}

static double gaussian(double x, void *data)
{
    double *p = data;
    return exp(-(x - p[0]) * (x - p[0]) / (2 * p[1] * p[1]));
}

double area(double *p, double a, double b)
{
    return integrate(gaussian, p, a, b);
}

int main(void)
{
    double p[2] = {0.3, 0.5}, d[2] = {0, 0}, a = -1, b = 2;
    __enzyme_autodiff((void *)area, enzyme_dup, p, d, enzyme_const, a, enzyme_const, b);
    /* d/dmu of the integral = f(a) - f(b) */
    double want = gaussian(a, p) - gaussian(b, p);
    double e = 1e-4, up[2] = {p[0], p[1] + e}, down[2] = {p[0], p[1] - e}, fd = (area(up, a, b) - area(down, a, b)) / (2 * e);
    if (!(fabs(d[0] - want) < 1e-7 && fabs(d[1] - fd) < 1e-6)) {
        printf("%.10g vs %.10g, %.10g vs %.10g\n", d[0], want, d[1], fd);
        return 1;
    }
    return 0;
}
