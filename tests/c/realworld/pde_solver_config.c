// flags: -lm
// A configurable advection-diffusion solver: key=value configuration, boundary
// conditions by function table, time integrators, diagnostics.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double real;
enum boundary { PERIODIC, DIRICHLET, NEUMANN, BOUNDARY_COUNT };
static const char *const boundary_names[BOUNDARY_COUNT] = {"periodic", "dirichlet", "neumann"};

struct config {
    int cells, steps;
    real speed, diffusion, courant;
    enum boundary boundary;
    char scheme[16];
    real left, right;
};

struct solver {
    struct config config;
    real *u, *stage, *rate; // with one ghost cell on each side
    real dx, dt, time;
    void (*fill)(struct solver *, real *);
    int (*advance)(struct solver *);
};

struct diagnostics { real mass, energy, low, high; };

static int set_option(struct config *c, const char *key, const char *value)
{
    static const struct { const char *name; size_t offset; char kind; } fields[] = {
        {"cells", offsetof(struct config, cells), 'i'},       {"steps", offsetof(struct config, steps), 'i'},
        {"speed", offsetof(struct config, speed), 'r'},       {"diffusion", offsetof(struct config, diffusion), 'r'},
        {"courant", offsetof(struct config, courant), 'r'},   {"left", offsetof(struct config, left), 'r'},
        {"right", offsetof(struct config, right), 'r'},       {"scheme", offsetof(struct config, scheme), 's'},
        {"boundary", offsetof(struct config, boundary), 'b'}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(fields[i].name, key) != 0)
            continue;
        void *target = (char *)c + fields[i].offset;
        switch (fields[i].kind) {
        case 'i': *(int *)target = atoi(value); return 0;
        case 'r': *(real *)target = strtod(value, NULL); return 0;
        case 's': snprintf(target, sizeof c->scheme, "%s", value); return 0;
        case 'b':
            for (int b = 0; b < BOUNDARY_COUNT; b++)
                if (strcmp(boundary_names[b], value) == 0) {
                    *(enum boundary *)target = (enum boundary)b;
                    return 0;
                }
            return -2;
        }
    }
    return -1;
}

static int parse_config(struct config *c, const char *text)
{
    char key[32], value[32];
    int used, errors = 0;
    while (sscanf(text, " %31[a-z]=%31[^ ]%n", key, value, &used) == 2) {
        errors += set_option(c, key, value) != 0;
        text += used;
    }
    return errors;
}

static void fill_periodic(struct solver *s, real *u)
{
    int n = s->config.cells;
    u[0] = u[n];
    u[n + 1] = u[1];
}
static void fill_dirichlet(struct solver *s, real *u)
{
    int n = s->config.cells;
    u[0] = 2 * s->config.left - u[1];
    u[n + 1] = 2 * s->config.right - u[n];
}
static void fill_neumann(struct solver *s, real *u)
{
    int n = s->config.cells;
    u[0] = u[1];
    u[n + 1] = u[n];
}
static void (*const fills[BOUNDARY_COUNT])(struct solver *, real *) = {fill_periodic, fill_dirichlet, fill_neumann};

static void compute_rate(struct solver *s, real *u, real *rate)
{
    const real a = s->config.speed, d = s->config.diffusion / s->dx;
    s->fill(s, u);
    real flux_left = 0;
    for (int i = 0; i <= s->config.cells; i++) {
        real upwind = a > 0 ? u[i] : u[i + 1];
        real flux = a * upwind - d * (u[i + 1] - u[i]);
        if (i > 0)
            rate[i] = (flux_left - flux) / s->dx;
        flux_left = flux;
    }
}

static int advance_euler(struct solver *s)
{
    compute_rate(s, s->u, s->rate);
    for (int i = 1; i <= s->config.cells; i++)
        s->u[i] += s->dt * s->rate[i];
    return 1;
}

static int advance_ssp3(struct solver *s) // three-stage strong stability preserving
{
    static const real keep[3] = {0, 0.75, 1.0 / 3};
    int n = s->config.cells;
    memcpy(s->stage, s->u, ((size_t)n + 2) * sizeof *s->u);
    for (int k = 0; k < 3; k++) {
        compute_rate(s, s->stage, s->rate);
        for (int i = 1; i <= n; i++)
            s->stage[i] = keep[k] * s->u[i] + (1 - keep[k]) * (s->stage[i] + s->dt * s->rate[i]);
    }
    real *swap = s->u;
    s->u = s->stage;
    s->stage = swap;
    return 3;
}

static int solver_create(struct solver *s, const struct config *c)
{
    memset(s, 0, sizeof *s);
    s->config = *c;
    size_t n = (size_t)c->cells + 2;
    s->u = calloc(n, sizeof *s->u);
    s->stage = calloc(n, sizeof *s->stage);
    s->rate = calloc(n, sizeof *s->rate);
    if (!s->u || !s->stage || !s->rate)
        return -1;
    s->dx = 1.0 / c->cells;
    real limit = fabs(c->speed) / s->dx + 2 * c->diffusion / (s->dx * s->dx);
    s->dt = limit > 0 ? c->courant / limit : 0.1;
    s->fill = fills[c->boundary];
    if (!strcmp(c->scheme, "euler"))
        s->advance = advance_euler;
    else if (!strcmp(c->scheme, "ssp3"))
        s->advance = advance_ssp3;
    else
        return -2;
    for (int i = 1; i <= c->cells; i++) {
        real x = (i - 0.5) * s->dx - 0.3;
        s->u[i] = exp(-100 * x * x);
    }
    return 0;
}

static void solver_destroy(struct solver *s)
{
    free(s->u);
    free(s->stage);
    free(s->rate);
}

static struct diagnostics diagnose(const struct solver *s)
{
    struct diagnostics d = {0, 0, s->u[1], s->u[1]};
    for (int i = 1; i <= s->config.cells; i++) {
        d.mass += s->u[i] * s->dx;
        d.energy += s->u[i] * s->u[i] * s->dx;
        d.low = fmin(d.low, s->u[i]);
        d.high = fmax(d.high, s->u[i]);
    }
    return d;
}

int main(void)
{
    static const char *const runs[] = {
        "cells=80 steps=100 speed=1 diffusion=0.001 courant=0.5 boundary=periodic scheme=euler",
        "cells=80 steps=100 speed=-1 diffusion=0 courant=0.9 boundary=periodic scheme=ssp3",
        "cells=40 steps=300 speed=0 diffusion=1 courant=0.5 boundary=neumann scheme=euler",
        "cells=20 steps=2000 speed=0 diffusion=1 courant=0.8 boundary=dirichlet left=1 right=3 scheme=ssp3",
        "cells=10 steps=1 speed=1 scheme=magic",
        "cells=10 color=red boundary=open scheme=euler"};
    int bad = 0;
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        struct config c = {.cells = 10, .steps = 1, .speed = 1, .courant = 0.5, .scheme = "euler"};
        struct solver s;
        int errors = parse_config(&c, runs[r]), status = solver_create(&s, &c);
        if (status == 0 && errors == 0) {
            struct diagnostics before = diagnose(&s), after;
            int stages = 0;
            for (int t = 0; t < c.steps; t++, s.time += s.dt)
                stages += s.advance(&s);
            after = diagnose(&s);
            printf("%zu: t=%.6f stages=%d mass %.8f -> %.8f range %.6f %.6f\n", r, s.time, stages, before.mass, after.mass, after.low, after.high);
            if (c.boundary != DIRICHLET) {
                bad += fabs(before.mass - after.mass) > 1e-12;
                bad += after.energy > before.energy || after.high > before.high + 1e-12 || after.low < -1e-12;
            } else
                for (int i = 1; i <= c.cells; i++)
                    bad += fabs(s.u[i] - (1 + 2 * (i - 0.5) * s.dx)) > 1e-4;
        } else {
            printf("%zu: errors %d status %d\n", r, errors, status);
            bad += !(r == 4 ? status == -2 : r == 5 ? errors == 2 : 0);
        }
        solver_destroy(&s);
    }
    printf("%d bad\n", bad);
    return bad != 0;
}
