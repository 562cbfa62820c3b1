/* Inviscid Burgers with Lax-Friedrichs fluxes, periodic indices, float precision. */
#include <math.h>
#include <stdio.h>

float __enzyme_autodiff(void *, ...);

static float flux(float u) { return 0.5f * u * u; }

float burgers(const float *init, int n, int steps)
{
    float u[16], f[16];
    for (int i = 0; i < n; i++)
        u[i] = init[i];
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            float l = u[i], r = u[(i + 1) % n];
            f[i] = 0.5f * (flux(l) + flux(r)) - 0.5f * (r - l);
        }
        for (int i = 0; i < n; i++)
            u[i] -= 0.4f * (f[i] - f[(i + n - 1) % n]);
    }
    float e = 0.0f;
    for (int i = 0; i < n; i++)
        e += u[i] * u[i] * (float)(i + 1);
    return e;
}

int main(void)
{
    float u[12], du[12], tu[12];
    for (int i = 0; i < 12; i++) {
        u[i] = 0.5f + 0.4f * sinf(0.5f * i);
        du[i] = 0.0f;
    }
    __enzyme_autodiff((void *)burgers, u, du, 12, 8);
    /* A directional derivative with a large step is the best single precision can do. */
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < 12; i++)
            tu[i] = u[i];
        float h = 0.02f;
        tu[k] = u[k] + h;
        double p = burgers(tu, 12, 8);
        tu[k] = u[k] - h;
        double m = burgers(tu, 12, 8);
        double fd = (p - m) / (2.0 * h);
        if (!(fabs(fd - du[k]) < 2e-3 * (1 + fabs(fd)))) {
            printf("u[%d]: %g, numerical %g\n", k, (double)du[k], fd);
            return 1;
        }
    }
    return 0;
}
