/* A chain of layers: all forward sweeps first, tapes on a stack, then the reverse sweeps in opposite order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEPTH 4
#define N 3
int enzyme_dup, enzyme_const;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void layer(const double *w, const double *in, double *out)
{
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int j = 0; j < N; j++)
            s += w[i * N + j] * in[j];
        out[i] = tanh(s);
    }
}

static double network(double w[DEPTH][N * N], const double *x)
{
    double a[DEPTH + 1][N], s = 0;
    memcpy(a[0], x, sizeof a[0]);
    for (int d = 0; d < DEPTH; d++)
        layer(w[d], a[d], a[d + 1]);
    for (int i = 0; i < N; i++)
        s += a[DEPTH][i] * (i + 1);
    return s;
}

int main(void)
{
    double w[DEPTH][N * N], dw[DEPTH][N * N] = {{0}}, a[DEPTH + 1][N], da[DEPTH + 1][N] = {{0}}, x[N] = {0.3, -0.9, 0.5};
    void *tapes[DEPTH];
    for (int d = 0; d < DEPTH; d++)
        for (int i = 0; i < N * N; i++)
            w[d][i] = sin(d * 10 + 2.3 * i);
    memcpy(a[0], x, sizeof x);
    for (int d = 0; d < DEPTH; d++)
        tapes[d] = __enzyme_augmentfwd((void *)layer, enzyme_dup, w[d], dw[d], enzyme_dup, a[d], da[d], enzyme_dup, a[d + 1], da[d + 1]);
    for (int i = 0; i < N; i++)
        da[DEPTH][i] = i + 1;
    for (int d = DEPTH; d-- > 0;)
        __enzyme_reverse((void *)layer, enzyme_dup, w[d], dw[d], enzyme_dup, a[d], da[d], enzyme_dup, a[d + 1], da[d + 1], tapes[d]);
    for (int d = 0; d < DEPTH; d++)
        for (int i = 0; i < N * N; i++) {
            double k = w[d][i];
            w[d][i] = k + 1e-6;
            double p = network(w, x);
            w[d][i] = k - 1e-6;
            double m = network(w, x);
            w[d][i] = k;
            if (!(fabs(dw[d][i] - (p - m) / 2e-6) < 1e-8)) {
                printf("w[%d][%d]: %g vs %g\n", d, i, dw[d][i], (p - m) / 2e-6);
                return 1;
            }
        }
    return 0;
}
