// flags: -lm
// A multilayer perceptron trained on XOR by backpropagation.
#include "../check.h"
#include <math.h>

#define IN 2
#define HIDDEN 4
static double w1[HIDDEN][IN + 1], w2[HIDDEN + 1];

static double forward(const double *x, double *h)
{
    double out = w2[HIDDEN];
    for (int j = 0; j < HIDDEN; j++) {
        double s = w1[j][IN];
        for (int i = 0; i < IN; i++)
            s += w1[j][i] * x[i];
        h[j] = tanh(s);
        out += w2[j] * h[j];
    }
    return out;
}

int main(void)
{
    const double x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, y[4] = {0, 1, 1, 0};
    unsigned seed = 7;
    for (int j = 0; j < HIDDEN; j++)
        for (int i = 0; i <= IN; i++) {
            seed = seed * 1664525u + 1013904223u;
            w1[j][i] = (seed >> 8) / 8388608.0 - 1;
        }
    for (int j = 0; j <= HIDDEN; j++)
        w2[j] = 0.3 * (j % 2 ? 1 : -1);
    double loss = 0;
    for (int epoch = 0; epoch < 2000; epoch++) {
        loss = 0;
        for (int n = 0; n < 4; n++) {
            double h[HIDDEN], e = forward(x[n], h) - y[n];
            loss += e * e;
            for (int j = 0; j < HIDDEN; j++) {
                double d = e * w2[j] * (1 - h[j] * h[j]);
                w2[j] -= 0.1 * e * h[j];
                for (int i = 0; i < IN; i++)
                    w1[j][i] -= 0.1 * d * x[n][i];
                w1[j][IN] -= 0.1 * d;
            }
            w2[HIDDEN] -= 0.1 * e;
        }
    }
    CHECK(loss < 1e-3);
    double h[HIDDEN];
    for (int n = 0; n < 4; n++)
        CHECK((forward(x[n], h) > 0.5) == (y[n] > 0.5));
    printf("trained %d\n", loss < 1e-3);
    return check_done();
}
