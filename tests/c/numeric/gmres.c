// flags: -lm
// GMRES with Givens rotations on a small nonsymmetric system.
#include "../check.h"
#include <math.h>

#define N 12
#define K 12
static void apply(const double *x, double *y)
{
    for (int i = 0; i < N; i++)
        y[i] = 3 * x[i] - (i ? x[i - 1] : 0) + 0.5 * (i < N - 1 ? x[i + 1] : 0) + 0.1 * x[(i * 5) % N];
}

static double gmres(const double *b, double *x)
{
    static double v[K + 1][N], h[K + 1][K], c[K], s[K], g[K + 1], y[K];
    double beta = 0;
    for (int i = 0; i < N; i++)
        beta += b[i] * b[i];
    beta = sqrt(beta);
    for (int i = 0; i < N; i++)
        v[0][i] = b[i] / beta;
    for (int i = 0; i <= K; i++)
        g[i] = 0;
    g[0] = beta;
    int k;
    for (k = 0; k < K && fabs(g[k]) > 1e-12; k++) {
        double w[N];
        apply(v[k], w);
        for (int j = 0; j <= k; j++) {
            h[j][k] = 0;
            for (int i = 0; i < N; i++)
                h[j][k] += w[i] * v[j][i];
            for (int i = 0; i < N; i++)
                w[i] -= h[j][k] * v[j][i];
        }
        double norm = 0;
        for (int i = 0; i < N; i++)
            norm += w[i] * w[i];
        norm = sqrt(norm);
        for (int i = 0; i < N && norm > 1e-14; i++)
            v[k + 1][i] = w[i] / norm;
        for (int j = 0; j < k; j++) {
            double t = c[j] * h[j][k] + s[j] * h[j + 1][k];
            h[j + 1][k] = -s[j] * h[j][k] + c[j] * h[j + 1][k];
            h[j][k] = t;
        }
        h[k + 1][k] = norm;
        double r = hypot(h[k][k], norm);
        c[k] = h[k][k] / r;
        s[k] = norm / r;
        h[k][k] = r;
        h[k + 1][k] = 0;
        g[k + 1] = -s[k] * g[k];
        g[k] *= c[k];
    }
    for (int i = k - 1; i >= 0; i--) {
        y[i] = g[i];
        for (int j = i + 1; j < k; j++)
            y[i] -= h[i][j] * y[j];
        y[i] /= h[i][i];
    }
    for (int i = 0; i < N; i++) {
        x[i] = 0;
        for (int j = 0; j < k; j++)
            x[i] += v[j][i] * y[j];
    }
    return fabs(g[k]);
}

int main(void)
{
    double b[N], x[N], y[N];
    for (int i = 0; i < N; i++)
        b[i] = 1 + 0.5 * (i % 3);
    CHECK(gmres(b, x) < 1e-9);
    apply(x, y);
    for (int i = 0; i < N; i++)
        CHECK_NEAR(y[i], b[i], 1e-9);
    printf("%.8f %.8f %.8f\n", x[0], x[5], x[11]);
    return check_done();
}
