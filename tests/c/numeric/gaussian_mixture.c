// flags: -lm
// Expectation-maximisation for a 1-D gaussian mixture.
#include "../check.h"
#include <math.h>

#define N 80
#define K 2
static double x[N], weight[K] = {0.5, 0.5}, mean[K] = {-0.5, 3}, variance[K] = {1, 1}, resp[N][K];

static double density(double v, int k)
{
    double d = v - mean[k];
    return weight[k] * exp(-0.5 * d * d / variance[k]) / sqrt(2 * M_PI * variance[k]);
}
static double expect(void)
{
    double log_likelihood = 0;
    for (int i = 0; i < N; i++) {
        double total = 0;
        for (int k = 0; k < K; k++)
            total += resp[i][k] = density(x[i], k);
        for (int k = 0; k < K; k++)
            resp[i][k] /= total;
        log_likelihood += log(total);
    }
    return log_likelihood;
}
static void maximise(void)
{
    for (int k = 0; k < K; k++) {
        double n = 0, m = 0, v = 0;
        for (int i = 0; i < N; i++) {
            n += resp[i][k];
            m += resp[i][k] * x[i];
        }
        mean[k] = m / n;
        for (int i = 0; i < N; i++)
            v += resp[i][k] * (x[i] - mean[k]) * (x[i] - mean[k]);
        variance[k] = v / n + 1e-6;
        weight[k] = n / N;
    }
}

int main(void)
{
    unsigned r = 17;
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int k = 0; k < 6; k++) {
            r = r * 1664525u + 1013904223u;
            s += (r >> 8) / 16777216.0 - 0.5;
        }
        x[i] = i % 4 ? s : s * 0.5 + 4;
    }
    double previous = -1e300;
    for (int t = 0; t < 60; t++) {
        double l = expect();
        CHECK(l >= previous - 1e-9); // EM never goes down
        previous = l;
        maximise();
    }
    CHECK_NEAR(weight[0] + weight[1], 1, 1e-12);
    CHECK_NEAR(mean[1], 4, 0.3);
    printf("%.7f %.7f %.7f %.7f\n", previous, mean[0], mean[1], weight[0]);
    return check_done();
}
