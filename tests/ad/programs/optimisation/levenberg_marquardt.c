/* Levenberg-Marquardt with forward-mode Jacobian columns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { M = 9, P = 3 };
int enzyme_dup, enzyme_const;
void __enzyme_fwddiff(void *, ...);

static void model(const double *p, const double *t, const double *y, double *r)
{
    for (int i = 0; i < M; i++) {
        double u = (t[i] - p[1]) / p[2];
        r[i] = p[0] / (1 + u * u) - y[i];
    }
}

static double norm2(const double *r)
{
    double s = 0;
    for (int i = 0; i < M; i++)
        s += r[i] * r[i];
    return s;
}

int main(void)
{
    double t[M], y[M], truth[P] = {2, 0.3, 0.7}, p[P] = {1, 0, 1}, zero[M] = {0}, r[M];
    for (int i = 0; i < M; i++)
        t[i] = -2 + 0.5 * i;
    model(truth, t, zero, y);
    double lambda = 0.1;
    for (int it = 0; it < 60; it++) {
        double j[P][M], a[P][P + 1];
        for (int k = 0; k < P; k++) {
            double e[P] = {0};
            e[k] = 1;
            __enzyme_fwddiff((void *)model, enzyme_dup, p, e, enzyme_const, t, enzyme_const, y, enzyme_dup, r, j[k]);
        }
        for (int x = 0; x < P; x++) {
            for (int z = 0; z < P; z++) {
                a[x][z] = 0;
                for (int i = 0; i < M; i++)
                    a[x][z] += j[x][i] * j[z][i];
            }
            a[x][x] *= 1 + lambda;
            a[x][P] = 0;
            for (int i = 0; i < M; i++)
                a[x][P] -= j[x][i] * r[i];
        }
        for (int k = 0; k < P; k++)
            for (int i = 0; i < P; i++)
                if (i != k) {
                    double f = a[i][k] / a[k][k];
                    for (int c = k; c <= P; c++)
                        a[i][c] -= f * a[k][c];
                }
        double trial[P], rt[M];
        for (int k = 0; k < P; k++)
            trial[k] = p[k] + a[k][P] / a[k][k];
        model(trial, t, y, rt);
        if (norm2(rt) < norm2(r)) {
            memcpy(p, trial, sizeof p);
            lambda *= 0.3;
        } else {
            lambda *= 4;
        }
    }
    for (int k = 0; k < P; k++)
        if (!(fabs(p[k] - truth[k]) < 1e-6)) {
            printf("parameter %d: %g\n", k, p[k]);
            return 1;
        }
    return 0;
}
