/* One-dimensional shallow water with Rusanov fluxes, cells as an array of structs. */
#include <math.h>
#include <stdio.h>

typedef struct cell {
    double h, hu;
} cell;

void __enzyme_autodiff(void *, ...);

static cell physical_flux(const cell *c)
{
    double u = c->hu / c->h;
    cell f = {c->hu, c->hu * u + 0.5 * 9.81 * c->h * c->h};
    return f;
}

static cell rusanov(const cell *l, const cell *r)
{
    cell fl = physical_flux(l), fr = physical_flux(r);
    double sl = fabs(l->hu / l->h) + sqrt(9.81 * l->h);
    double sr = fabs(r->hu / r->h) + sqrt(9.81 * r->h);
    double s = sl > sr ? sl : sr;
    cell out;
    out.h = 0.5 * (fl.h + fr.h) - 0.5 * s * (r->h - l->h);
    out.hu = 0.5 * (fl.hu + fr.hu) - 0.5 * s * (r->hu - l->hu);
    return out;
}

#define CELLS 10
double momentum(const cell *initial, int steps)
{
    cell u[CELLS], flux[CELLS + 1];
    for (int i = 0; i < CELLS; i++)
        u[i] = initial[i];
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < CELLS; i++)
            flux[i] = rusanov(&u[i - 1], &u[i]);
        flux[0] = flux[1];
        flux[CELLS] = flux[CELLS - 1];
        for (int i = 0; i < CELLS; i++) {
            u[i].h -= 0.05 * (flux[i + 1].h - flux[i].h);
            u[i].hu -= 0.05 * (flux[i + 1].hu - flux[i].hu);
        }
    }
    double sum = 0;
    for (const cell *c = u; c < u + CELLS; c++)
        sum += c->hu * c->hu / c->h;
    return sum;
}

int main(void)
{
    cell u[CELLS], d[CELLS] = {{0, 0}};
    for (int i = 0; i < CELLS; i++) {
        u[i].h = i < 5 ? 2.0 + 0.01 * i : 1.0 + 0.02 * i;
        u[i].hu = 0.1 * i + 0.05;
    }
    __enzyme_autodiff((void *)momentum, u, d, 6);
    double *v = (double *)u, *g = (double *)d;
    for (int i = 0; i < 2 * CELLS; i++) {
        double k = v[i];
        v[i] = k + 1e-6;
        double p = momentum(u, 6);
        v[i] = k - 1e-6;
        double m = momentum(u, 6);
        v[i] = k;
        double fd = (p - m) / 2e-6;
        if (!(fabs(fd - g[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("value %d: %.9g vs %.9g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
