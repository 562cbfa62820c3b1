/* Multilayer perceptron with layers in an array of structs that point into one parameter vector. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int in, out;
    const double *weights, *bias;
} layer;

int enzyme_dup;
int enzyme_const;
double __enzyme_autodiff(void *, ...);

static double *forward(const layer *l, const double *x, int last)
{
    double *y = malloc(l->out * sizeof *y);
    for (int o = 0; o < l->out; o++) {
        y[o] = l->bias[o];
        for (int i = 0; i < l->in; i++)
            y[o] += l->weights[o * l->in + i] * x[i];
        if (!last)
            y[o] = tanh(y[o]);
    }
    return y;
}

double loss(const double *params, const double *input, double target)
{
    static const int sizes[] = {3, 5, 4, 1};
    layer net[3];
    const double *p = params;
    for (int l = 0; l < 3; l++) {
        net[l].in = sizes[l];
        net[l].out = sizes[l + 1];
        net[l].weights = p;
        p += sizes[l] * sizes[l + 1];
        net[l].bias = p;
        p += sizes[l + 1];
    }
    double *a = forward(&net[0], input, 0);
    double *b = forward(&net[1], a, 0);
    double *c = forward(&net[2], b, 1);
    double e = c[0] - target;
    free(a);
    free(b);
    free(c);
    return e * e;
}

int main(void)
{
    enum { P = 3 * 5 + 5 + 5 * 4 + 4 + 4 + 1 };
    double p[P], g[P] = {0}, x[3] = {0.2, -0.4, 0.9};
    for (int i = 0; i < P; i++)
        p[i] = 0.6 * sin(3.0 * i + 1);
    __enzyme_autodiff((void *)loss, enzyme_dup, p, g, enzyme_const, x, enzyme_const, 0.7);
    for (int i = 0; i < P; i++) {
        double k = p[i];
        p[i] = k + 1e-6;
        double a = loss(p, x, 0.7);
        p[i] = k - 1e-6;
        double b = loss(p, x, 0.7);
        p[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("parameter %d: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
