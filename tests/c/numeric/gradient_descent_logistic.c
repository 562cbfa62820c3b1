// flags: -lm
// Logistic regression by gradient descent with momentum.
#include "../check.h"
#include <math.h>

#define SAMPLES 40
#define FEATURES 3
struct sample { double x[FEATURES]; int label; };

static double sigmoid(double z) { return 1 / (1 + exp(-z)); }
static double predict(const double *w, const double *x)
{
    double z = w[FEATURES];
    for (int k = 0; k < FEATURES; k++)
        z += w[k] * x[k];
    return sigmoid(z);
}
static double loss_gradient(const struct sample *s, const double *w, double *g)
{
    double loss = 0;
    for (int k = 0; k <= FEATURES; k++)
        g[k] = 0.01 * w[k];
    for (int i = 0; i < SAMPLES; i++) {
        double p = predict(w, s[i].x), d = p - s[i].label;
        loss -= s[i].label ? log(p) : log(1 - p);
        for (int k = 0; k < FEATURES; k++)
            g[k] += d * s[i].x[k] / SAMPLES;
        g[FEATURES] += d / SAMPLES;
    }
    return loss / SAMPLES;
}

int main(void)
{
    struct sample s[SAMPLES];
    unsigned r = 11;
    for (int i = 0; i < SAMPLES; i++) {
        for (int k = 0; k < FEATURES; k++) {
            r = r * 1664525u + 1013904223u;
            s[i].x[k] = (r >> 16) / 32768.0 - 1;
        }
        s[i].label = s[i].x[0] - 0.5 * s[i].x[1] + 0.25 > 0;
    }
    double w[FEATURES + 1] = {0}, v[FEATURES + 1] = {0}, g[FEATURES + 1], first = 0, last = 0;
    for (int t = 0; t < 300; t++) {
        last = loss_gradient(s, w, g);
        if (t == 0)
            first = last;
        for (int k = 0; k <= FEATURES; k++) {
            v[k] = 0.9 * v[k] - 0.5 * g[k];
            w[k] += v[k];
        }
    }
    int right = 0;
    for (int i = 0; i < SAMPLES; i++)
        right += (predict(w, s[i].x) > 0.5) == s[i].label;
    CHECK_NEAR(first, log(2), 1e-12);
    CHECK(last < 0.4 && right >= 36);
    printf("%.6f %d\n", last, right);
    return check_done();
}
