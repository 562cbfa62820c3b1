/* Logistic regression fitted by gradient descent: the gradient is called again and again with changing weights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const;
extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

static double nll(const double *w, const double *x, const int *y, int n, int d)
{
    double loss = 0;
    for (int i = 0; i < n; i++) {
        double z = w[d];
        for (int j = 0; j < d; j++)
            z += w[j] * x[i * d + j];
        /* log(1 + exp(-z)) without overflow */
        double m = y[i] ? -z : z;
        loss += m > 0 ? m + log1p(exp(-m)) : log1p(exp(m));
    }
    for (int j = 0; j < d; j++)
        loss += 0.05 * w[j] * w[j];
    return loss / n;
}

int main(void)
{
    enum { N = 40, D = 2 };
    double x[N * D], w[D + 1] = {0};
    int y[N];
    unsigned seed = 12345;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) {
            seed = seed * 1103515245u + 12345u;
            x[i * D + j] = (seed >> 16) % 1000 / 500.0 - 1.0;
        }
        y[i] = 2 * x[i * D] - x[i * D + 1] + 0.3 > 0;
    }
    double before = nll(w, x, y, N, D);
    for (int it = 0; it < 300; it++) {
        double g[D + 1] = {0};
        __enzyme_autodiff((void *)nll, enzyme_dup, w, g, enzyme_const, x, enzyme_const, y, enzyme_const, N, enzyme_const, D);
        for (int j = 0; j <= D; j++) {
            double e = 1e-6, keep = w[j];
            if (it % 100 == 7) {
                w[j] = keep + e;
                double p = nll(w, x, y, N, D);
                w[j] = keep - e;
                double m = nll(w, x, y, N, D);
                w[j] = keep;
                if (!(fabs(g[j] - (p - m) / (2 * e)) < 1e-8)) {
                    printf("iteration %d, weight %d: %g vs %g\n", it, j, g[j], (p - m) / (2 * e));
                    return 1;
                }
            }
        }
        for (int j = 0; j <= D; j++)
            w[j] -= 2.0 * g[j];
    }
    double after = nll(w, x, y, N, D);
    if (!(after < 0.6 * before)) {
        printf("no progress: %g to %g\n", before, after);
        return 1;
    }
    return 0;
}
