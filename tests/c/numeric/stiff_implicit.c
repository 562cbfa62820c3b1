// flags: -lm
// Backward Euler with Newton and a 3x3 solve: Robertson kinetics.
#include "../check.h"
#include <math.h>

static void rates(const double y[3], double f[3], double j[3][3])
{
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[2] = 3e7 * y[1] * y[1];
    f[1] = -f[0] - f[2];
    j[0][0] = -0.04;
    j[0][1] = 1e4 * y[2];
    j[0][2] = 1e4 * y[1];
    j[2][0] = j[2][2] = 0;
    j[2][1] = 6e7 * y[1];
    for (int k = 0; k < 3; k++)
        j[1][k] = -j[0][k] - j[2][k];
}
static void solve3(double a[3][3], double b[3])
{
    for (int k = 0; k < 3; k++) {
        int p = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        for (int j = 0; j < 3; j++) {
            double t = a[k][j]; a[k][j] = a[p][j]; a[p][j] = t;
        }
        double t = b[k]; b[k] = b[p]; b[p] = t;
        for (int i = 0; i < 3; i++)
            if (i != k) {
                double m = a[i][k] / a[k][k];
                for (int j = k; j < 3; j++)
                    a[i][j] -= m * a[k][j];
                b[i] -= m * b[k];
            }
    }
    for (int k = 0; k < 3; k++)
        b[k] /= a[k][k];
}

int main(void)
{
    double y[3] = {1, 0, 0}, t = 0, h = 1e-4;
    int newton = 0;
    while (t < 40) {
        double z[3] = {y[0], y[1], y[2]};
        for (int it = 0; it < 20; it++) {
            double f[3], j[3][3], m[3][3], r[3], size = 0;
            rates(z, f, j);
            for (int i = 0; i < 3; i++) {
                r[i] = y[i] + h * f[i] - z[i];
                for (int k = 0; k < 3; k++)
                    m[i][k] = (i == k) - h * j[i][k];
            }
            solve3(m, r);
            newton++;
            for (int i = 0; i < 3; i++) {
                z[i] += r[i];
                size += fabs(r[i]);
            }
            if (size < 1e-13)
                break;
        }
        for (int i = 0; i < 3; i++)
            y[i] = z[i];
        t += h;
        if (h < 0.05)
            h *= 1.1;
    }
    CHECK_NEAR(y[0] + y[1] + y[2], 1, 1e-10);
    CHECK_NEAR(y[0], 0.7158, 2e-3);
    CHECK(newton > 100);
    printf("%.7f %.7e %.7f\n", y[0], y[1], y[2]);
    return check_done();
}
