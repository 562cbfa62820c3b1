// flags: -lm
// Lennard-Jones molecular dynamics in a periodic box, global state.
#include "../check.h"
#include <math.h>

#define N 27
static double x[N][3], v[N][3], f[N][3], box = 5.0, potential;

static void compute_forces(void)
{
    potential = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            f[i][k] = 0;
    for (int i = 0; i < N - 1; i++)
        for (int j = i + 1; j < N; j++) {
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = x[i][k] - x[j][k];
                d[k] -= box * floor(d[k] / box + 0.5);
                r2 += d[k] * d[k];
            }
            if (r2 > 2.5 * 2.5)
                continue;
            double i2 = 1 / r2, i6 = i2 * i2 * i2, g = 48 * i2 * i6 * (i6 - 0.5);
            potential += 4 * i6 * (i6 - 1);
            for (int k = 0; k < 3; k++) {
                f[i][k] += g * d[k];
                f[j][k] -= g * d[k];
            }
        }
}
static double kinetic(void)
{
    double e = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            e += 0.5 * v[i][k] * v[i][k];
    return e;
}

int main(void)
{
    unsigned seed = 3;
    for (int i = 0; i < N; i++) {
        int c[3] = {i % 3, i / 3 % 3, i / 9};
        for (int k = 0; k < 3; k++) {
            x[i][k] = (c[k] + 0.5) * box / 3;
            seed = seed * 1664525u + 1013904223u;
            v[i][k] = (seed >> 8) / 16777216.0 - 0.5;
        }
    }
    compute_forces();
    double e0 = kinetic() + potential, dt = 0.002;
    for (int t = 0; t < 100; t++) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++) {
                v[i][k] += 0.5 * dt * f[i][k];
                x[i][k] += dt * v[i][k];
            }
        compute_forces();
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++)
                v[i][k] += 0.5 * dt * f[i][k];
    }
    double e1 = kinetic() + potential;
    CHECK(fabs(e1 - e0) < 0.5);
    printf("%.6f %.6f\n", e1, x[13][1]);
    return check_done();
}
