/* GRU whose weights are a struct of arrays inside a struct, passed by pointer with a shadow struct. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define H 3
typedef struct { double w[H][H], u[H], b[H]; } gate_t;
typedef struct { gate_t reset, update, candidate; double readout[H]; } gru_t;

void __enzyme_autodiff(void *, ...);

static double affine(const gate_t *g, int row, const double *h, double x)
{
    double s = g->b[row] + g->u[row] * x;
    for (int j = 0; j < H; j++)
        s += g->w[row][j] * h[j];
    return s;
}

static double logistic(double v) { return 0.5 * (1 + tanh(0.5 * v)); }

double run(const gru_t *net, const double *xs, int n)
{
    double h[H] = {0}, out = 0;
    for (const double *x = xs; x != xs + n; ++x) {
        double r[H], z[H], rh[H], fresh[H];
        for (int i = 0; i < H; i++) {
            r[i] = logistic(affine(&net->reset, i, h, *x));
            z[i] = logistic(affine(&net->update, i, h, *x));
            rh[i] = r[i] * h[i];
        }
        for (int i = 0; i < H; i++)
            fresh[i] = tanh(affine(&net->candidate, i, rh, *x));
        for (int i = 0; i < H; i++) {
            h[i] = (1 - z[i]) * h[i] + z[i] * fresh[i];
            out += net->readout[i] * h[i];
        }
    }
    return out * out;
}

int main(void)
{
    gru_t net, *grad = calloc(1, sizeof *grad);
    double *v = (double *)&net, *g = (double *)grad, xs[5] = {1, -0.5, 0.3, 0.8, -1.1};
    int n = sizeof(gru_t) / sizeof(double), bad = 0;
    for (int i = 0; i < n; i++)
        v[i] = 0.7 * sin(1.9 * i);
    __enzyme_autodiff((void *)run, &net, grad, xs, (double[5]){0}, 5);
    for (int i = 0; i < n && !bad; i++) {
        double k = v[i];
        v[i] = k + 1e-6;
        double a = run(&net, xs, 5);
        v[i] = k - 1e-6;
        double b = run(&net, xs, 5);
        v[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("weight %d: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            bad = 1;
        }
    }
    free(grad);
    return bad;
}
