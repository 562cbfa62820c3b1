// size: 1000, ADBench
// The log-likelihood of a Gaussian mixture with a Wishart prior (ADBench), `size` points: d = 10, K = 25 unless said otherwise.
#include "gradient.h"

#ifndef D
#define D 10
#define K 25
#endif
enum { ICF = D * (D + 1) / 2 };

static double log_sum_exp(int n, const double *x)
{
    double most = x[0], sum = 0.0;
    for (int i = 1; i < n; i++)
        if (x[i] > most)
            most = x[i];
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - most);
    return log(sum) + most;
}

/* The factor of the inverse covariance times a vector: the diagonal is stored as logarithms, the rest by columns. */
static void times_factor(int d, const double *diagonal, const double *lower, const double *x, double *out)
{
    int at = 0;
    for (int i = 0; i < d; i++)
        out[i] = diagonal[i] * x[i];
    for (int i = 0; i < d; i++)
        for (int j = i + 1; j < d; j++)
            out[j] += lower[at++] * x[i];
}

static double mixture(int d, int k, int n, const double *alphas, const double *means, const double *icf, const double *x, double wishart_gamma, int wishart_m)
{
    int size = d * (d + 1) / 2;
    double *diagonal = malloc((size_t)(d * k) * sizeof(double)), *sums = malloc((size_t)k * sizeof(double));
    double *centered = malloc((size_t)d * sizeof(double)), *product = malloc((size_t)d * sizeof(double)), *terms = malloc((size_t)k * sizeof(double));
    double total = 0.0, prior = 0.0;
    for (int j = 0; j < k; j++) {
        sums[j] = 0.0;
        for (int i = 0; i < d; i++) {
            sums[j] += icf[j * size + i];
            diagonal[j * d + i] = exp(icf[j * size + i]);
        }
    }
    for (int p = 0; p < n; p++) {
        for (int j = 0; j < k; j++) {
            double norm = 0.0;
            for (int i = 0; i < d; i++)
                centered[i] = x[p * d + i] - means[j * d + i];
            times_factor(d, &diagonal[j * d], &icf[j * size + d], centered, product);
            for (int i = 0; i < d; i++)
                norm += product[i] * product[i];
            terms[j] = alphas[j] + sums[j] - 0.5 * norm;
        }
        total += log_sum_exp(k, terms);
    }
    for (int j = 0; j < k; j++) {
        double squares = 0.0;
        for (int i = 0; i < d; i++)
            squares += diagonal[j * d + i] * diagonal[j * d + i];
        for (int i = d; i < size; i++)
            squares += icf[j * size + i] * icf[j * size + i];
        prior += 0.5 * wishart_gamma * wishart_gamma * squares - wishart_m * sums[j];
    }
    total += prior - n * log_sum_exp(k, alphas);
    free(diagonal);
    free(sums);
    free(centered);
    free(product);
    free(terms);
    return total;
}

static struct array alphas, means, icf;
static double *points;
static int n;

static void setup(int size)
{
    n = size;
    alphas = variables(K, -1, 1);
    means = variables(K * D, -1, 1);
    icf = variables(K * ICF, -0.3, 0.3);
    points = data((size_t)n * D, -2, 2);
}
static double objective(void)
{
    return mixture(D, K, n, alphas.x, means.x, icf.x, points, 1.0, 0);
}
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)mixture, enzyme_const, D, enzyme_const, K, enzyme_const, n, enzyme_dup, alphas.x, alphas.bar, enzyme_dup, means.x, means.bar,
                      enzyme_dup, icf.x, icf.bar, enzyme_const, points, enzyme_const, 1.0, enzyme_const, 0);
}
