/* Lagrangian shock tube in the style of the proxy applications: many short loops, a min-reduction for the time step */
#include "../../check.h"
#define CELLS 18
typedef struct { double r[CELLS + 1], v[CELLS + 1], e[CELLS], p[CELLS], rho[CELLS], m[CELLS], q[CELLS]; } mesh;
static double time_step(const mesh *d)
{
    double dt = 0.05;
    #pragma omp parallel for reduction(min:dt)
    for (int c = 0; c < CELLS; c++) {
        double sound = sqrt(1.4 * d->p[c] / d->rho[c]), limit = 0.3 * (d->r[c + 1] - d->r[c]) / sound;
        if (limit < dt) dt = limit;
    }
    return dt;
}
static void accelerate(mesh *d, double dt)
{
    #pragma omp parallel for
    for (int i = 1; i < CELLS; i++) {
        double mass = 0.5 * (d->m[i - 1] + d->m[i]);
        d->v[i] += dt * (d->p[i - 1] + d->q[i - 1] - d->p[i] - d->q[i]) / mass;
    }
}
static void update(mesh *d, double dt)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i <= CELLS; i++) d->r[i] += dt * d->v[i];
        #pragma omp for
        for (int c = 0; c < CELLS; c++) {
            double width = d->r[c + 1] - d->r[c], dv = d->v[c + 1] - d->v[c];
            d->rho[c] = d->m[c] / width;
            d->e[c] -= dt * (d->p[c] + d->q[c]) * dv / d->m[c];
            d->p[c] = 0.4 * d->rho[c] * d->e[c];
            d->q[c] = dv < 0 ? 2 * d->rho[c] * dv * dv : 0;
        }
    }
}
static double f(double *x, int n)
{
    mesh *d = calloc(1, sizeof *d);
    double total = 0;
    for (int i = 0; i <= CELLS; i++) d->r[i] = (double)i / CELLS;
    for (int c = 0; c < CELLS; c++) {
        d->rho[c] = c < CELLS / 2 ? 1 : 0.3;
        d->m[c] = d->rho[c] / CELLS;
        d->e[c] = 1 + x[c % n];
        d->p[c] = 0.4 * d->rho[c] * d->e[c];
    }
    for (int step = 0; step < 8; step++) {
        double dt = time_step(d);
        accelerate(d, dt);
        update(d, dt);
    }
    #pragma omp parallel for reduction(+:total)
    for (int c = 0; c < CELLS; c++) total += d->m[c] * (d->e[c] * d->e[c] + d->v[c] * d->v[c]);
    free(d);
    return total;
}
GRADIENT(f)
int main(void) { return CHECK(f, 10); }
