/* Hidden Markov model: scaled forward algorithm with softmax-parameterised transitions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define S 3
#define V 4
int enzyme_dup;
int enzyme_const;
void __enzyme_autodiff(void *, ...);

static void softmax(const double *in, double *out, int n)
{
    double max = in[0], sum = 0;
    for (int i = 1; i < n; i++)
        max = fmax(max, in[i]);
    for (int i = 0; i < n; i++)
        sum += out[i] = exp(in[i] - max);
    for (int i = 0; i < n; i++)
        out[i] /= sum;
}

static double hmm(const double *theta, const int *seq, int len)
{
    double A[S][S], B[S][V], alpha[S], next[S], ll = 0.0;
    for (int s = 0; s < S; s++) {
        softmax(theta + s * S, A[s], S);
        softmax(theta + S * S + s * V, B[s], V);
    }
    for (int s = 0; s < S; s++)
        alpha[s] = 1.0 / S;
    for (int t = 0; t < len; t++) {
        double scale = 0;
        for (int j = 0; j < S; j++) {
            next[j] = 0;
            for (int i = 0; i < S; i++)
                next[j] += alpha[i] * A[i][j];
            next[j] *= B[j][seq[t]];
            scale += next[j];
        }
        for (int j = 0; j < S; j++)
            alpha[j] = next[j] / scale;
        ll += log(scale);
    }
    return ll;
}

int main(void)
{
    enum { P = S * S + S * V, T = 15 };
    double theta[P], d[P] = {0};
    int seq[T];
    for (int i = 0; i < P; i++)
        theta[i] = 0.5 * sin(2.0 * i);
    for (int t = 0; t < T; t++)
        seq[t] = (t * t + 1) % V;
    __enzyme_autodiff((void *)hmm, enzyme_dup, theta, d, enzyme_const, seq, enzyme_const, T);
    int bad = 0;
    for (int i = 0; i < P; i++) {
        double k = theta[i];
        theta[i] = k + 1e-6;
        double p = hmm(theta, seq, T);
        theta[i] = k - 1e-6;
        double m = hmm(theta, seq, T);
        theta[i] = k;
        if (!(fabs(d[i] - (p - m) / 2e-6) < 1e-7)) {
            printf("theta[%d]: %g vs %g\n", i, d[i], (p - m) / 2e-6);
            bad = 1;
        }
    }
    return bad;
}
