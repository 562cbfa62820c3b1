// A function that overwrites what it reads cannot be run once for each seed.
extern int enzyme_width, enzyme_dup;
void __enzyme_autodiff(void *, ...);

static void square(double *x)
{
    x[0] = x[0] * x[0]; // error: in reverse mode with several seeds: 'x' is written here
}

void both(double *x, double *a, double *b)
{
    __enzyme_autodiff((void *)square, enzyme_width, 2, enzyme_dup, x, a, b);
}

#include <stdlib.h>

static double last(double *x)
{
    double value = x[0] * x[0];
    free(x); // error: in reverse mode with several seeds: this call may do something else
    return value;
}

void ends(double *x, double *a, double *b)
{
    __enzyme_autodiff((void *)last, enzyme_width, 2, enzyme_dup, x, a, b);
}
