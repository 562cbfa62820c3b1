/* Forward mode on structs by pointer and by value, nested arrays, unions, copies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { double pos[3], vel[3]; int alive; } particle;
typedef struct { particle p[3]; double time; } system_state;
extern int enzyme_dup, enzyme_const;
void __enzyme_fwddiff(void *, ...);

static particle kick(particle p, double g)
{
    if (p.alive)
        p.vel[2] -= g * p.pos[2] * p.pos[2];
    return p;
}

static void evolve(system_state *s, double g, int steps)
{
    for (int t = 0; t < steps; t++) {
        system_state next = *s;
        for (int i = 0; i < 3; i++) {
            next.p[i] = kick(s->p[i], g);
            for (int c = 0; c < 3; c++)
                next.p[i].pos[c] = s->p[i].pos[c] + 0.1 * next.p[i].vel[c] * s->time;
        }
        next.time += 0.1;
        memcpy(s, &next, sizeof next);
    }
}

static void setup(system_state *s, double shift)
{
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            s->p[i].pos[c] = sin(3 * i + c) + shift * (c + 1);
            s->p[i].vel[c] = cos(i + c);
        }
        s->p[i].alive = i != 1;
    }
    s->time = 1;
}

int main(void)
{
    system_state s, d, a, b;
    memset(&d, 0, sizeof d);
    setup(&s, 0);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
            d.p[i].pos[c] = c + 1;
    __enzyme_fwddiff((void *)evolve, enzyme_dup, &s, &d, enzyme_dup, 0.7, 0.5, enzyme_const, 6);
    setup(&a, 1e-6);
    setup(&b, -1e-6);
    evolve(&a, 0.7 + 0.5e-6, 6);
    evolve(&b, 0.7 - 0.5e-6, 6);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            double fp = (a.p[i].pos[c] - b.p[i].pos[c]) / 2e-6, fv = (a.p[i].vel[c] - b.p[i].vel[c]) / 2e-6;
            if (!(fabs(d.p[i].pos[c] - fp) < 1e-7 && fabs(d.p[i].vel[c] - fv) < 1e-7)) {
                printf("particle %d, %d: %g vs %g, %g vs %g\n", i, c, d.p[i].pos[c], fp, d.p[i].vel[c], fv);
                return 1;
            }
        }
    return 0;
}
