/* Function pointers as dup arguments: the shadow comes from __enzyme_virtualreverse. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_out, enzyme_const;
double __enzyme_autodiff(void *, ...);
void *__enzyme_virtualreverse(void *);

static double square(double x) { return x * x; }
static double wave(double x) { return sin(2 * x); }

static double compose(double (*f)(double), double (*g)(double), double x) { return f(g(x)) + g(x); }

int main(void)
{
    double x = 0.6;
    double a = __enzyme_autodiff((void *)compose, enzyme_dup, square, __enzyme_virtualreverse((void *)square), enzyme_dup, wave,
                                 __enzyme_virtualreverse((void *)wave), enzyme_out, x);
    double want = (2 * sin(1.2) + 1) * 2 * cos(1.2);
    if (!(fabs(a - want) < 1e-14)) {
        printf("dup: %g vs %g\n", a, want);
        return 1;
    }
    double b = __enzyme_autodiff((void *)compose, enzyme_const, wave, enzyme_const, square, enzyme_out, x);
    want = 2 * cos(2 * x * x) * 2 * x + 2 * x;
    if (!(fabs(b - want) < 1e-14)) {
        printf("const: %g vs %g\n", b, want);
        return 1;
    }
    return 0;
}
