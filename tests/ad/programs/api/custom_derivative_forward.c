/* A registered custom derivative for forward mode, again recognisable by a wrong factor. */
#include <math.h>
#include <stdio.h>

void __enzyme_fwddiff(void *, ...);
extern int enzyme_dup;

__attribute__((noinline)) void halve(const double *in, double *out) { *out = 0.5 * *in; }

void halve_derivative(const double *in, const double *d_in, double *out, double *d_out)
{
    *out = 0.5 * *in;
    *d_out = 7 * *d_in;
}

void *__enzyme_register_derivative_halve[] = {(void *)halve, (void *)halve_derivative};

static void model(const double *x, double *y)
{
    double t;
    halve(x, &t);
    *y = t * x[0];
}

int main(void)
{
    double x = 3, dx = 1, y = 0, dy = 0;
    __enzyme_fwddiff((void *)model, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
    if (!(y == 4.5 && dy == 7 * 3 + 1.5)) {
        printf("y = %g, dy = %g\n", y, dy);
        return 1;
    }
    return 0;
}
