// flags: -lm
// DCT-II and its inverse; Haar and Daubechies-4 wavelets.
#include "../check.h"
#include <math.h>
#include <string.h>

#define N 16
static void dct(const double *x, double *y)
{
    for (int k = 0; k < N; k++) {
        y[k] = 0;
        for (int n = 0; n < N; n++)
            y[k] += x[n] * cos(M_PI / N * (n + 0.5) * k);
        y[k] *= sqrt((k ? 2.0 : 1.0) / N);
    }
}
static void idct(const double *y, double *x)
{
    for (int n = 0; n < N; n++) {
        x[n] = 0;
        for (int k = 0; k < N; k++)
            x[n] += sqrt((k ? 2.0 : 1.0) / N) * y[k] * cos(M_PI / N * (n + 0.5) * k);
    }
}
static void haar(double *x, int n)
{
    double t[N];
    for (; n > 1; n /= 2) {
        for (int i = 0; i < n / 2; i++) {
            t[i] = (x[2 * i] + x[2 * i + 1]) / 2;
            t[n / 2 + i] = (x[2 * i] - x[2 * i + 1]) / 2;
        }
        memcpy(x, t, (size_t)n * sizeof *x);
    }
}
static void inverse_haar(double *x, int n)
{
    double t[N];
    for (int m = 1; m < n; m *= 2) {
        for (int i = 0; i < m; i++) {
            t[2 * i] = x[i] + x[m + i];
            t[2 * i + 1] = x[i] - x[m + i];
        }
        memcpy(x, t, (size_t)(2 * m) * sizeof *x);
    }
}
static void daubechies(const double *x, double *y, int n)
{
    double s = sqrt(3), h[4] = {1 + s, 3 + s, 3 - s, 1 - s};
    for (int k = 0; k < 4; k++)
        h[k] /= 4 * sqrt(2);
    for (int i = 0; i < n / 2; i++) {
        y[i] = y[n / 2 + i] = 0;
        for (int k = 0; k < 4; k++) {
            double v = x[(2 * i + k) % n];
            y[i] += h[k] * v;
            y[n / 2 + i] += (k % 2 ? -1 : 1) * h[3 - k] * v;
        }
    }
}

int main(void)
{
    double x[N], y[N], z[N], e1 = 0, e2 = 0;
    for (int i = 0; i < N; i++)
        x[i] = (i * 5) % 9 - 4 + 0.5 * (i > 7);
    dct(x, y);
    idct(y, z);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(z[i], x[i], 1e-13);
        e1 += x[i] * x[i];
        e2 += y[i] * y[i];
    }
    CHECK_NEAR(e1, e2, 1e-11);
    printf("%.9f %.9f\n", y[0], y[5]);
    memcpy(z, x, sizeof z);
    haar(z, N);
    printf("%.17g %.17g\n", z[0], z[1]);
    inverse_haar(z, N);
    CHECK(memcmp(z, x, sizeof z) == 0);
    daubechies(x, y, N);
    e2 = 0;
    for (int i = 0; i < N; i++)
        e2 += y[i] * y[i];
    CHECK_NEAR(e1, e2, 1e-11);
    return check_done();
}
