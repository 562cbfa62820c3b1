/* Log likelihood of a one-dimensional Gaussian mixture via log-sum-exp, parameters in a nested struct. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define K 3
typedef struct {
    struct {
        double logit, mean, log_sigma;
    } component[K];
} mixture;

void __enzyme_autodiff(void *, ...);

static double log_sum_exp(const double *v, int n)
{
    double m = -DBL_MAX;
    for (int i = 0; i < n; i++)
        if (v[i] > m)
            m = v[i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += exp(v[i] - m);
    return m + log(s);
}

static double log_likelihood(const mixture *mix, const double *data, int n)
{
    double logits[K], total = 0;
    for (int k = 0; k < K; k++)
        logits[k] = mix->component[k].logit;
    double z = log_sum_exp(logits, K);
    for (int i = 0; i < n; i++) {
        double parts[K];
        for (int k = 0; k < K; k++) {
            double u = (data[i] - mix->component[k].mean) * exp(-mix->component[k].log_sigma);
            parts[k] = logits[k] - z - mix->component[k].log_sigma - 0.5 * u * u;
        }
        total += log_sum_exp(parts, K);
    }
    return total;
}

int main(void)
{
    mixture m = {{{0.1, -1.0, 0.2}, {0.5, 0.5, -0.3}, {-0.2, 2.0, 0.0}}}, g;
    double data[12], dd[12] = {0};
    for (int i = 0; i < 12; i++)
        data[i] = 3 * sin(i * 1.1);
    memset(&g, 0, sizeof(g));
    __enzyme_autodiff((void *)log_likelihood, &m, &g, data, dd, 12);
    double *v = &m.component[0].logit, *w = &g.component[0].logit;
    for (int i = 0; i < 3 * K + 12; i++) {
        double *at = i < 3 * K ? v + i : data + i - 3 * K, got = i < 3 * K ? w[i] : dd[i - 3 * K], k = *at;
        *at = k + 1e-6;
        double p = log_likelihood(&m, data, 12);
        *at = k - 1e-6;
        double q = log_likelihood(&m, data, 12);
        *at = k;
        if (!(fabs(got - (p - q) / 2e-6) < 1e-6)) {
            printf("parameter %d: %g vs %g\n", i, got, (p - q) / 2e-6);
            return 1;
        }
    }
    return 0;
}
