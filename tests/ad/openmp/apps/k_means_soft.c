/* soft k-means, iterated: centres by array reductions */
#include "../../check.h"
#define K 3
static double f(double *x, int n)
{
    double centre[K], loss = 0;
    for (int k = 0; k < K; k++) centre[k] = x[k] + 0.1 * k;
    for (int it = 0; it < 4; it++) {
        double sum[K] = {0}, weight[K] = {0};
        #pragma omp parallel for reduction(+: sum[:K], weight[:K])
        for (int i = 0; i < n; i++) {
            double p[K], total = 0;
            for (int k = 0; k < K; k++) {
                double d = x[i] - centre[k];
                p[k] = exp(-10 * d * d);
                total += p[k];
            }
            for (int k = 0; k < K; k++) {
                sum[k] += p[k] / total * x[i];
                weight[k] += p[k] / total;
            }
        }
        for (int k = 0; k < K; k++) centre[k] = sum[k] / weight[k];
    }
    #pragma omp parallel for reduction(+:loss)
    for (int i = 0; i < n; i++) {
        double best = 0;
        for (int k = 0; k < K; k++) best += exp(-10 * (x[i] - centre[k]) * (x[i] - centre[k]));
        loss -= log(best);
    }
    return loss;
}
GRADIENT(f)
int main(void) { return CHECK(f, 27); }
