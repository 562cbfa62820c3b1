/* LSTM over a sequence, gates from one weight matrix, states updated in place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HID 3
#define INP 2
extern int enzyme_const;
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static inline double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

static void cell(const double *w, const double *x, double *h, double *c)
{
    double gates[4 * HID];
    for (int g = 0; g < 4 * HID; g++) {
        const double *row = w + g * (INP + HID + 1);
        double s = row[INP + HID];
        for (int i = 0; i < INP; i++)
            s += row[i] * x[i];
        for (int i = 0; i < HID; i++)
            s += row[INP + i] * h[i];
        gates[g] = s;
    }
    for (int k = 0; k < HID; k++) {
        double i = sigmoid(gates[k]), f = sigmoid(gates[HID + k]);
        double o = sigmoid(gates[2 * HID + k]), g = tanh(gates[3 * HID + k]);
        c[k] = f * c[k] + i * g;
        h[k] = o * tanh(c[k]);
    }
}

static double sequence_loss(const double *w, const double *xs, int steps)
{
    double h[HID] = {0}, c[HID] = {0}, loss = 0;
    for (int t = 0; t < steps; t++) {
        cell(w, xs + t * INP, h, c);
        double want = xs[((t + 1) % steps) * INP];
        double e = h[0] + h[1] - h[2] - want;
        loss += e * e;
    }
    return loss / steps;
}

int main(void)
{
    enum { P = 4 * HID * (INP + HID + 1), T = 9 };
    double w[P], g[P] = {0}, x[T * INP];
    for (int i = 0; i < P; i++)
        w[i] = 0.5 * cos(2.1 * i);
    for (int i = 0; i < T * INP; i++)
        x[i] = sin(0.9 * i);
    __enzyme_autodiff((void *)sequence_loss, enzyme_dup, w, g, enzyme_const, x, enzyme_const, T);
    for (int i = 0; i < P; i++) {
        double k = w[i];
        w[i] = k + 1e-6;
        double a = sequence_loss(w, x, T);
        w[i] = k - 1e-6;
        double b = sequence_loss(w, x, T);
        w[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("weight %d: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
