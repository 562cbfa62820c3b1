// flags: -lm
// Householder QR least squares.
#include "../check.h"
#include <math.h>

#define M 8
#define N 3
typedef double real;

static void householder(real a[M][N], real b[M])
{
    for (int k = 0; k < N; k++) {
        real norm = 0;
        for (int i = k; i < M; i++)
            norm += a[i][k] * a[i][k];
        norm = sqrt(norm);
        real alpha = a[k][k] > 0 ? -norm : norm, v[M] = {0}, vv = 0;
        for (int i = k; i < M; i++)
            v[i] = a[i][k];
        v[k] -= alpha;
        for (int i = k; i < M; i++)
            vv += v[i] * v[i];
        for (int j = k; j < N; j++) {
            real s = 0;
            for (int i = k; i < M; i++)
                s += v[i] * a[i][j];
            s *= 2 / vv;
            for (int i = k; i < M; i++)
                a[i][j] -= s * v[i];
        }
        real s = 0;
        for (int i = k; i < M; i++)
            s += v[i] * b[i];
        s *= 2 / vv;
        for (int i = k; i < M; i++)
            b[i] -= s * v[i];
    }
}

int main(void)
{
    real a[M][N], b[M], x[N];
    for (int i = 0; i < M; i++) {
        real t = i * 0.25;
        a[i][0] = 1;
        a[i][1] = t;
        a[i][2] = t * t;
        b[i] = 2 - t + 0.5 * t * t + (i % 2 ? 0.01 : -0.01);
    }
    householder(a, b);
    for (int i = N - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < N; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
    real residual = 0;
    for (int i = N; i < M; i++)
        residual += b[i] * b[i];
    printf("%.10g %.10g %.10g %.6g\n", x[0], x[1], x[2], residual);
    CHECK_NEAR(x[0], 2, 0.02);
    CHECK_NEAR(x[2], 0.5, 0.02);
    CHECK(residual < 8 * 1e-4);
    return check_done();
}
