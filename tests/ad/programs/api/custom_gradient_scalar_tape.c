/* A registered gradient of a scalar function with a tape: the implicit function theorem instead of the iterations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) double lambert(double x)
{
    double w = log1p(x);
    for (int i = 0; i < 60; i++)
        w -= (w * exp(w) - x) / (exp(w) * (w + 1));
    return w;
}

struct augmented { void *tape; double primal; };
static int tapes;

struct augmented lambert_augmented(double x)
{
    struct augmented r;
    double *t = malloc(sizeof *t);
    r.primal = lambert(x);
    *t = r.primal;
    r.tape = t;
    tapes++;
    return r;
}

double lambert_gradient(double x, double seed, void *tape)
{
    double w = *(double *)tape;
    (void)x;
    free(tape);
    tapes--;
    return seed / (exp(w) * (1 + w));
}

void *__enzyme_register_gradient_lambert[] = {(void *)lambert, (void *)lambert_augmented, (void *)lambert_gradient};

double product(double x, int n)
{
    double p = 1;
    for (int i = 1; i <= n; i++)
        p *= lambert(x * i);
    return p;
}

int main(void)
{
    double g = __enzyme_autodiff((void *)product, 0.8, 4), e = 1e-6, fd = (product(0.8 + e, 4) - product(0.8 - e, 4)) / (2 * e);
    if (!(fabs(g - fd) < 1e-7) || tapes != 0) {
        printf("%g vs %g, %d tapes left\n", g, fd, tapes);
        return 1;
    }
    return 0;
}
