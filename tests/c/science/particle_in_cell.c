// flags: -lm
// 1-D electrostatic PIC: struct of arrays, cloud-in-cell deposits, a Poisson solve, leapfrog; momentum and charge are kept.
#include "../check.h"
#include <math.h>
#include <stdlib.h>

enum { CELLS = 32, PER_CELL = 20 };
struct species { size_t n; float charge, mass; float *x, *v; };
struct grid { double length, rho[CELLS], phi[CELLS], field[CELLS]; };

static int wrap(int i) { return i < 0 ? i + CELLS : i >= CELLS ? i - CELLS : i; }

static void deposit(struct grid *g, const struct species *s)
{
    for (size_t p = 0; p < s->n; p++) {
        double at = s->x[p] * CELLS / g->length;
        int left = (int)at;
        double w = at - left;
        g->rho[wrap(left)] += s->charge * (1 - w);
        g->rho[wrap(left + 1)] += s->charge * w;
    }
}

static void solve(struct grid *g)
{
    double h = g->length / CELLS, mean = 0;
    for (int i = 0; i < CELLS; i++)
        mean += g->rho[i] / CELLS;
    double e = 0, total = 0;
    for (int i = 0; i < CELLS; i++) {
        e += (g->rho[i] - mean) * h;
        g->phi[i] = e;
        total += e;
    }
    for (int i = 0; i < CELLS; i++)
        g->field[i] = 0.5 * (g->phi[i] + g->phi[wrap(i - 1)]) - total / CELLS;
}

static double push(struct species *s, const struct grid *g, float dt)
{
    double momentum = 0;
    const float length = (float)g->length;
    for (size_t p = 0; p < s->n; ++p) {
        double at = s->x[p] * CELLS / g->length;
        int left = (int)at;
        double w = at - left;
        double e = (1 - w) * g->field[wrap(left)] + w * g->field[wrap(left + 1)];
        s->v[p] += (float)(s->charge / s->mass * e * dt);
        s->x[p] += s->v[p] * dt;
        while (s->x[p] < 0)
            s->x[p] += length;
        while (s->x[p] >= length)
            s->x[p] -= length;
        momentum += s->mass * s->v[p];
    }
    return momentum;
}

int main(void)
{
    struct grid g = {.length = 6.0};
    struct species all[2];
    for (int k = 0; k < 2; k++) {
        struct species *s = all + k;
        s->n = CELLS * PER_CELL;
        s->charge = (k ? 1.0f : -1.0f) / PER_CELL;
        s->mass = (k ? 100.0f : 1.0f) / PER_CELL;
        float *block = malloc(2 * s->n * sizeof *block);
        s->x = block, s->v = block + s->n;
        for (size_t p = 0; p < s->n; p++) {
            s->x[p] = (float)((p + 0.5) * g.length / s->n);
            if (k == 0)
                s->x[p] += 0.05f * (float)cos(2 * M_PI * s->x[p] / g.length);
            s->v[p] = 0;
        }
    }
    double worst = 0, first = 0, smallest = 1e9;
    for (int t = 0; t < 60; t++) {
        for (int i = 0; i < CELLS; i++)
            g.rho[i] = 0;
        for (int k = 0; k < 2; k++)
            deposit(&g, all + k);
        double charge = 0, energy = 0;
        for (int i = 0; i < CELLS; i++)
            charge += g.rho[i];
        solve(&g);
        for (int i = 0; i < CELLS; i++)
            energy += 0.5 * g.field[i] * g.field[i];
        if (!t)
            first = energy;
        smallest = fmin(smallest, energy);
        worst = fmax(worst, fabs(charge));
        double momentum = 0;
        for (int k = 0; k < 2; k++)
            momentum += push(all + k, &g, 0.05f);
        CHECK(fabs(momentum) < 1e-2);
    }
    CHECK(worst < 1e-4);
    CHECK(smallest < first);
    printf("%.4f %d\n", first, smallest < 0.2 * first);
    for (int k = 0; k < 2; k++)
        free(all[k].x);
    return check_done();
}
