/* A pointer that is sometimes the constant input and sometimes active memory (current = input; then current = layer). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double network(const double *weights, const double *input, int layers, int width)
{
    double *act = malloc(2 * width * sizeof *act), s = 0;
    const double *current = input;
    for (int l = 0; l < layers; l++) {
        double *next = act + (l % 2) * width;
        for (int i = 0; i < width; i++) {
            double z = 0;
            for (int j = 0; j < width; j++)
                z += weights[(l * width + i) * width + j] * current[j];
            next[i] = tanh(z);
        }
        current = next;
    }
    for (int i = 0; i < width; i++)
        s += current[i] * (i + 1);
    free(act);
    return s;
}

int main(void)
{
    enum { L = 3, W = 3 };
    double w[L * W * W], g[L * W * W], x[W] = {0.5, -1, 0.25};
    for (int i = 0; i < L * W * W; i++)
        w[i] = sin(1.7 * i * i);
    for (int layers = 0; layers <= L; layers++) {
        for (int i = 0; i < L * W * W; i++)
            g[i] = 0;
        __enzyme_autodiff((void *)network, enzyme_dup, w, g, enzyme_const, x, enzyme_const, layers, enzyme_const, W);
        for (int i = 0; i < L * W * W; i++) {
            double k = w[i];
            w[i] = k + 1e-6;
            double a = network(w, x, layers, W);
            w[i] = k - 1e-6;
            double b = network(w, x, layers, W);
            w[i] = k;
            if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
                printf("%d layers, w[%d]: %g vs %g\n", layers, i, g[i], (a - b) / 2e-6);
                return 1;
            }
        }
    }
    return 0;
}
