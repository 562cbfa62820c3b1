// flags: -lm
// Pseudo-spectral differentiation and integration of a periodic PDE.
#include "../check.h"
#include <math.h>

#define N 32
static void transform(const double *re, const double *im, double *outr, double *outi, int sign)
{
    static double c[N], s[N];
    if (c[0] == 0)
        for (int i = 0; i < N; i++) {
            c[i] = cos(2 * M_PI * i / N);
            s[i] = sin(2 * M_PI * i / N);
        }
    for (int k = 0; k < N; k++) {
        double a = 0, b = 0;
        for (int n = 0; n < N; n++) {
            int j = k * n % N;
            a += re[n] * c[j] - sign * im[n] * s[j];
            b += sign * re[n] * s[j] + im[n] * c[j];
        }
        outr[k] = sign > 0 ? a / N : a;
        outi[k] = sign > 0 ? b / N : b;
    }
}
static void derivative(const double *u, double *du, int order)
{
    double zero[N] = {0}, r[N], i[N], dr[N], di[N], junk[N];
    transform(u, zero, r, i, -1);
    for (int k = 0; k < N; k++) {
        double w = k < N / 2 ? k : k == N / 2 ? 0 : k - N;
        if (order == 1) {
            dr[k] = -w * i[k];
            di[k] = w * r[k];
        } else {
            dr[k] = -w * w * r[k];
            di[k] = -w * w * i[k];
        }
    }
    transform(dr, di, du, junk, 1);
}
static void rhs(const double *u, double *f)
{
    double ux[N], uxx[N];
    derivative(u, ux, 1);
    derivative(u, uxx, 2);
    for (int j = 0; j < N; j++)
        f[j] = -u[j] * ux[j] + 0.1 * uxx[j];
}

int main(void)
{
    double u[N], d[N], f[N], g[N], v[N], mass = 0;
    for (int j = 0; j < N; j++)
        u[j] = sin(2 * M_PI * j / N) + 0.5;
    derivative(u, d, 1);
    for (int j = 0; j < N; j++)
        CHECK_NEAR(d[j], cos(2 * M_PI * j / N), 1e-12);
    for (int t = 0; t < 40; t++) {
        rhs(u, f);
        for (int j = 0; j < N; j++)
            v[j] = u[j] + 0.01 * f[j];
        rhs(v, g);
        for (int j = 0; j < N; j++)
            u[j] += 0.005 * (f[j] + g[j]);
    }
    for (int j = 0; j < N; j++)
        mass += u[j] / N;
    CHECK_NEAR(mass, 0.5, 1e-10);
    printf("%.8f %.8f\n", u[0], u[12]);
    return check_done();
}
