/* Activations chosen from a table of function pointers, library functions among them. */
#include <math.h>
#include <stdio.h>

typedef double (*activation)(double);
extern int enzyme_out, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double relu(double x) { return x > 0 ? x : 0; }
static double softplus(double x) { return log1p(exp(x)); }
static double swish(double x) { return x / (1 + exp(-x)); }

static const activation table[] = {relu, softplus, swish, tanh, sin};

double deep(double x, int depth)
{
    double y = x;
    for (int i = 0; i < depth; i++)
        y = table[i % (int)(sizeof table / sizeof table[0])](1.1 * y + 0.2);
    return y;
}

int main(void)
{
    for (int depth = 0; depth < 9; depth++) {
        double g = __enzyme_autodiff((void *)deep, enzyme_out, 0.6, enzyme_const, depth);
        double fd = (deep(0.6 + 1e-6, depth) - deep(0.6 - 1e-6, depth)) / 2e-6;
        if (!(fabs(g - fd) < 1e-8 * (1 + fabs(fd)))) {
            printf("depth %d: %.10g vs %.10g\n", depth, g, fd);
            return 1;
        }
    }
    return 0;
}
