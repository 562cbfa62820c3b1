// Log-likelihood of a mixture, points in parallel, parameters shared by all.
#include "../../check.h"
#define K 3
#define D 2
static double f(double *x, int n)
{
    const double *alpha = x, *mean = x + K, *scale = x + K + K * D;
    double slack = 0, top = alpha[0], sum = 0;
    for (int k = 1; k < K; k++)
        top = fmax(top, alpha[k]);
    for (int k = 0; k < K; k++)
        sum += exp(alpha[k] - top);
    (void)n;
#pragma omp parallel for reduction(+ : slack) schedule(static, 5)
    for (int i = 0; i < 40; i++) {
        double term[K], best = -1e300, total = 0;
        for (int k = 0; k < K; k++) {
            term[k] = alpha[k];
            for (int d = 0; d < D; d++) {
                double r = (sin(1.0 * i + d) - mean[k * D + d]) * exp(scale[k * D + d]);
                term[k] += scale[k * D + d] - 0.5 * r * r;
            }
            best = fmax(best, term[k]);
        }
        for (int k = 0; k < K; k++)
            total += exp(term[k] - best);
        slack += best + log(total);
    }
    return 0.02 * (slack - 40 * (top + log(sum)));
}
GRADIENT(f)
int main(void) { return CHECK(f, K + 2 * K * D); }
