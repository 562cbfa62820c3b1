// size: 2000
// Logistic regression with 50 features and a quadratic penalty: the negative log-likelihood of `size` samples.
#include "gradient.h"

enum { FEATURES = 50 };

static double likelihood(const double *weights, double bias, const double *samples, const int *labels, int n)
{
    double total = 0.0, penalty = 0.0;
    for (int i = 0; i < n; i++) {
        double score = bias;
        for (int j = 0; j < FEATURES; j++)
            score += weights[j] * samples[i * FEATURES + j];
        /* log(1 + exp(score)) without overflow. */
        double soft = score > 0 ? score + log1p(exp(-score)) : log1p(exp(score));
        total += soft - labels[i] * score;
    }
    for (int j = 0; j < FEATURES; j++)
        penalty += weights[j] * weights[j];
    return total / n + 0.01 * penalty;
}

static struct array weights, bias;
static double *samples;
static int *labels, n;
static void setup(int size)
{
    n = size;
    weights = variables(FEATURES, -1, 1);
    bias = variables(1, -1, 1);
    samples = data((size_t)n * FEATURES, -1, 1);
    labels = malloc((size_t)n * sizeof *labels);
    for (int i = 0; i < n; i++)
        labels[i] = gradient_random(0, 1) > 0.5;
}
static double objective(void) { return likelihood(weights.x, bias.x[0], samples, labels, n); }
double __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    bias.bar[0] += __enzyme_autodiff((void *)likelihood, enzyme_dup, weights.x, weights.bar, enzyme_out, bias.x[0], enzyme_const, samples, enzyme_const,
                                     labels, enzyme_const, n);
}
