/* Mass-spring cloth on a grid with collisions, implicit damping, springs in a heap array, semi-implicit Euler. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define W 4
#define H 3
typedef struct { double x, y, z; } v3;
typedef struct { int a, b; double rest; } spring;
typedef struct { v3 *pos, *vel, *force; spring *springs; int nsprings; } cloth;

double __enzyme_autodiff(void *, ...);

static cloth *cloth_new(double size)
{
    cloth *c = malloc(sizeof *c);
    c->pos = calloc(W * H, sizeof(v3));
    c->vel = calloc(W * H, sizeof(v3));
    c->force = calloc(W * H, sizeof(v3));
    c->springs = malloc(2 * W * H * sizeof(spring));
    c->nsprings = 0;
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++) {
            c->pos[j * W + i] = (v3){i * size, 1.0, j * size};
            if (i + 1 < W)
                c->springs[c->nsprings++] = (spring){j * W + i, j * W + i + 1, size};
            if (j + 1 < H)
                c->springs[c->nsprings++] = (spring){j * W + i, (j + 1) * W + i, size};
        }
    return c;
}

static void cloth_free(cloth *c)
{
    free(c->pos);
    free(c->vel);
    free(c->force);
    free(c->springs);
    free(c);
}

static void cloth_step(cloth *c, double stiffness, double damping, double dt)
{
    for (int i = 0; i < W * H; i++)
        c->force[i] = (v3){0, -9.81, 0};
    for (spring *s = c->springs; s < c->springs + c->nsprings; ++s) {
        v3 *p = &c->pos[s->a], *q = &c->pos[s->b];
        double dx = q->x - p->x, dy = q->y - p->y, dz = q->z - p->z, len = sqrt(dx * dx + dy * dy + dz * dz);
        double f = stiffness * (len - s->rest) / len;
        c->force[s->a].x += f * dx, c->force[s->a].y += f * dy, c->force[s->a].z += f * dz;
        c->force[s->b].x -= f * dx, c->force[s->b].y -= f * dy, c->force[s->b].z -= f * dz;
    }
    for (int i = 0; i < W * H; i++) {
        if (i == 0 || i == W - 1)
            continue; /* pinned */
        v3 *v = &c->vel[i], *x = &c->pos[i];
        double k = 1 / (1 + damping * dt);
        v->x = (v->x + dt * c->force[i].x) * k;
        v->y = (v->y + dt * c->force[i].y) * k;
        v->z = (v->z + dt * c->force[i].z) * k;
        x->x += dt * v->x, x->y += dt * v->y, x->z += dt * v->z;
        if (x->y < 0.2) {
            x->y = 0.2;
            v->y *= -0.3;
        }
    }
}

double drop(const double *p, int steps)
{
    cloth *c = cloth_new(p[2]);
    for (int s = 0; s < steps; s++)
        cloth_step(c, p[0], p[1], 0.01);
    double r = 0;
    for (int i = 0; i < W * H; i++)
        r += c->pos[i].y * c->pos[i].y + c->pos[i].x;
    cloth_free(c);
    return r;
}

int main(void)
{
    double p[3] = {150, 2, 0.3}, g[3] = {0};
    __enzyme_autodiff((void *)drop, p, g, 60);
    for (int i = 0; i < 3; i++) {
        double k = p[i], h = 1e-6 * (1 + k);
        p[i] = k + h;
        double a = drop(p, 60);
        p[i] = k - h;
        double b = drop(p, 60);
        p[i] = k;
        double fd = (a - b) / (2 * h);
        if (!(fabs(fd - g[i]) < 1e-4 * (1 + fabs(fd)))) {
            printf("parameter %d: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
