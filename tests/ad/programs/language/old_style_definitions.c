// Definitions without prototypes, functions called through `double (*f)()`.
#include <stdio.h>
#include <math.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double simpson(f, a, b, n)
double (*f)(); double a, b; int n;
{
    double h = (b - a) / n, s = (*f)(a) + (*f)(b); int i;
    for (i = 1; i < n; i++) s += f(a + i * h) * (i % 2 ? 4 : 2);
    return s * h / 3;
}
static float scale(x, k) float x; char k; { return x * k; }
static double g(x) double x; { return sin(x) * x + scale((float)0.5, 'a') * x; }
double obj(x) double x; { return simpson(g, 0.0, x, 20); }
int main()
{
    double d = __enzyme_autodiff((void *)obj, 1.3), e = __enzyme_fwddiff((void *)obj, 1.3, 1.0);
    double h = 1e-6, fd = (obj(1.3 + h) - obj(1.3 - h)) / (2 * h);
    printf("%g %g %g\n", d, e, fd);
    return fabs(d - fd) > 1e-6 * fabs(fd) || fabs(d - e) > 1e-12 * fabs(d);
}
