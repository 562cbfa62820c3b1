// flags: -lm
// Viscous Burgers with conservative fluxes in float and double.
#include "../check.h"
#include <math.h>

#define N 64
#define DEFINE_BURGERS(real, name) \
    static double name(int steps) \
    { \
        real u[N], flux[N]; \
        real dx = (real)1 / N, dt = (real)0.2 * dx, nu = (real)0.005; \
        for (int i = 0; i < N; i++) \
            u[i] = (real)(1 + 0.5 * sin(2 * M_PI * i / N)); \
        for (int t = 0; t < steps; t++) { \
            for (int i = 0; i < N; i++) { \
                real l = u[i], r = u[(i + 1) % N]; \
                real s = (real)0.5 * (l + r), fl = (real)0.5 * l * l, fr = (real)0.5 * r * r; \
                flux[i] = (s > 0 ? fl : fr) - nu * (r - l) / dx; \
            } \
            for (int i = 0; i < N; i++) \
                u[i] -= dt / dx * (flux[i] - flux[(i + N - 1) % N]); \
        } \
        double mass = 0; \
        for (int i = 0; i < N; i++) \
            mass += u[i]; \
        printf("%.5f %.5f\n", (double)u[10], (double)u[50]); \
        return mass; \
    }
DEFINE_BURGERS(double, in_double)
DEFINE_BURGERS(float, in_float)

int main(void)
{
    CHECK_NEAR(in_double(100), N, 1e-11);
    CHECK_NEAR(in_float(100), N, 1e-3);
    return check_done();
}
