// size: 1024
// A perceptron of three layers, 64 units each, over `size` samples; cross entropy.
#include "../ad/gradient.h"

enum { UNITS = 64, LAYERS = 3 };

static double entropy(const double *weights, const double *biases, const double *samples, const int *labels, int n)
{
    double loss = 0.0;
#pragma omp parallel for reduction(+ : loss)
    for (int s = 0; s < n; s++) {
        double units[LAYERS + 1][UNITS], sum = 0.0;
        for (int i = 0; i < UNITS; i++)
            units[0][i] = samples[s * UNITS + i];
        for (int l = 0; l < LAYERS; l++)
            for (int i = 0; i < UNITS; i++) {
                double in = biases[l * UNITS + i];
                for (int j = 0; j < UNITS; j++)
                    in += weights[(l * UNITS + i) * UNITS + j] * units[l][j];
                units[l + 1][i] = l + 1 < LAYERS ? tanh(in) : in;
            }
        for (int i = 0; i < UNITS; i++)
            sum += exp(units[LAYERS][i]);
        loss += log(sum) - units[LAYERS][labels[s]];
    }
    return loss / n;
}

static struct array weights, biases;
static double *samples;
static int *labels, n;
static void setup(int size)
{
    n = size;
    weights = variables(LAYERS * UNITS * UNITS, -0.2, 0.2);
    biases = variables(LAYERS * UNITS, -0.1, 0.1);
    samples = data((size_t)(n * UNITS), -1, 1);
    labels = malloc((size_t)n * sizeof *labels);
    for (int i = 0; i < n; i++)
        labels[i] = i * 5 % UNITS;
}
static double objective(void) { return entropy(weights.x, biases.x, samples, labels, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)entropy, enzyme_dup, weights.x, weights.bar, enzyme_dup, biases.x, biases.bar, enzyme_const, samples, enzyme_const, labels,
                      enzyme_const, n);
}
