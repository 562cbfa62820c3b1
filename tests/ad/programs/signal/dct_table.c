/* Discrete cosine transform with a table computed on first use (static local), quantisation-like soft threshold. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define N 8
void __enzyme_autodiff(void *, ...);

static const double *basis(void)
{
    static double table[N * N];
    static bool ready = false;
    if (!ready) {
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                table[k * N + i] = cos(M_PI * (i + 0.5) * k / N) * (k == 0 ? sqrt(1.0 / N) : sqrt(2.0 / N));
        ready = true;
    }
    return table;
}

double compressed_energy(const double *x, double threshold)
{
    const double *t = basis();
    double e = 0;
    for (int k = 0; k < N; k++) {
        double c = 0;
        for (int i = 0; i < N; i++)
            c += t[k * N + i] * x[i];
        double shrunk = c > threshold ? c - threshold : c < -threshold ? c + threshold : 0;
        e += shrunk * shrunk;
    }
    return e;
}

int enzyme_const, enzyme_dup;

int main(void)
{
    double x[N] = {1, 2, -1, 0.5, 3, 1, -2, 0.2};
    /* Twice: the table is filled on the first call only. */
    for (int round = 0; round < 2; round++) {
        double g[N] = {0};
        __enzyme_autodiff((void *)compressed_energy, enzyme_dup, x, g, enzyme_const, 0.7);
        for (int i = 0; i < N; i++) {
            double k = x[i];
            x[i] = k + 1e-6;
            double a = compressed_energy(x, 0.7);
            x[i] = k - 1e-6;
            double b = compressed_energy(x, 0.7);
            x[i] = k;
            if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
                printf("round %d, x[%d]: %g vs %g\n", round, i, g[i], (a - b) / 2e-6);
                return 1;
            }
        }
        x[3] += 1;
    }
    return 0;
}
