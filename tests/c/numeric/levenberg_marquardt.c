// flags: -lm
// Levenberg-Marquardt fit of a damped exponential.
#include "../check.h"
#include <math.h>

#define M 20
#define P 3
static double t[M], data[M];
static double model(const double *p, double x) { return p[0] * exp(-p[1] * x) + p[2]; }
static double residuals(const double *p, double *r)
{
    double s = 0;
    for (int i = 0; i < M; i++) {
        r[i] = model(p, t[i]) - data[i];
        s += r[i] * r[i];
    }
    return s;
}
static void jacobian(const double *p, double j[M][P])
{
    for (int i = 0; i < M; i++) {
        double e = exp(-p[1] * t[i]);
        j[i][0] = e;
        j[i][1] = -p[0] * t[i] * e;
        j[i][2] = 1;
    }
}
static void solve(double a[P][P], double b[P])
{
    for (int k = 0; k < P; k++)
        for (int i = k + 1; i < P; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < P; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    for (int i = P; i-- > 0;) {
        for (int j = i + 1; j < P; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

int main(void)
{
    const double truth[P] = {2.5, 1.3, 0.5};
    for (int i = 0; i < M; i++) {
        t[i] = i * 0.15;
        data[i] = model(truth, t[i]);
    }
    double p[P] = {1, 0.5, 0}, lambda = 1e-2, r[M], j[M][P], cost = residuals(p, r);
    int it = 0;
    for (; it < 100 && cost > 1e-24; it++) {
        double a[P][P] = {{0}}, g[P] = {0}, trial[P], r2[M];
        jacobian(p, j);
        for (int i = 0; i < M; i++)
            for (int k = 0; k < P; k++) {
                g[k] -= j[i][k] * r[i];
                for (int l = 0; l < P; l++)
                    a[k][l] += j[i][k] * j[i][l];
            }
        for (int k = 0; k < P; k++)
            a[k][k] *= 1 + lambda;
        solve(a, g);
        for (int k = 0; k < P; k++)
            trial[k] = p[k] + g[k];
        double c = residuals(trial, r2);
        if (c < cost) {
            cost = c;
            lambda /= 5;
            for (int k = 0; k < P; k++)
                p[k] = trial[k];
            for (int i = 0; i < M; i++)
                r[i] = r2[i];
        } else
            lambda *= 4;
    }
    for (int k = 0; k < P; k++) {
        CHECK_NEAR(p[k], truth[k], 1e-8);
        printf("%.6f ", p[k]);
    }
    printf("\n");
    return check_done();
}
