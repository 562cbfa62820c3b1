// size: 2, ADBench
// A long short-term memory (ADBench): `size` layers of 14 units over a sequence of 1000.
#include "gradient.h"

enum { B = 14, LENGTH = 1000 };

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static void layer(int b, const double *weight, const double *bias, double *hidden, double *cell, const double *input)
{
    for (int i = 0; i < b; i++) {
        double forget = sigmoid(input[i] * weight[i] + bias[i]);
        double in = sigmoid(hidden[i] * weight[b + i] + bias[b + i]);
        double out = sigmoid(input[i] * weight[2 * b + i] + bias[2 * b + i]);
        double change = tanh(hidden[i] * weight[3 * b + i] + bias[3 * b + i]);
        cell[i] = cell[i] * forget + in * change;
        hidden[i] = out * tanh(cell[i]);
    }
}

static void predict(int l, int b, const double *w, const double *w2, double *s, const double *x, double *x2)
{
    const double *input = x2;
    for (int i = 0; i < b; i++)
        x2[i] = x[i] * w2[i];
    for (int i = 0; i < l; i++) {
        layer(b, &w[i * 8 * b], &w[i * 8 * b + 4 * b], &s[i * 2 * b], &s[i * 2 * b + b], input);
        input = &s[i * 2 * b];
    }
    for (int i = 0; i < b; i++)
        x2[i] = input[i] * w2[b + i] + w2[2 * b + i];
}

static double loss(int l, int c, int b, const double *main_params, const double *extra_params, const double *start, const double *sequence)
{
    double total = 0.0, *state = malloc(2 * (size_t)(l * b) * sizeof *state), *y = malloc((size_t)b * sizeof *y);
    int count = 0;
    for (int i = 0; i < 2 * l * b; i++)
        state[i] = start[i];
    for (int t = 0; t < c - 1; t++) {
        double sum = 2.0;
        predict(l, b, main_params, extra_params, state, &sequence[t * b], y);
        for (int i = 0; i < b; i++)
            sum += exp(y[i]);
        for (int i = 0; i < b; i++)
            total += sequence[(t + 1) * b + i] * (y[i] - log(sum));
        count += b;
    }
    free(state);
    free(y);
    return -total / count;
}

static struct array main_params, extra_params;
static double *start, *sequence;
static int layers;

static void setup(int size)
{
    layers = size;
    main_params = variables((size_t)(8 * layers * B), -0.5, 0.5);
    extra_params = variables(3 * B, -0.5, 0.5);
    start = data((size_t)(2 * layers * B), -0.5, 0.5);
    sequence = data(LENGTH * B, 0, 1);
}
static double objective(void)
{
    return loss(layers, LENGTH, B, main_params.x, extra_params.x, start, sequence);
}
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)loss, enzyme_const, layers, enzyme_const, LENGTH, enzyme_const, B, enzyme_dup, main_params.x, main_params.bar, enzyme_dup,
                      extra_params.x, extra_params.bar, enzyme_const, start, enzyme_const, sequence);
}
