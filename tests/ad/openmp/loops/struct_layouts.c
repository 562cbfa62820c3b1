/* arrays of structs, structs of arrays, and structs that hold pointers, in parallel loops */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double pos[3], vel[3], mass; int kind; } Particle;
typedef struct { double *px, *py, *q; size_t n; } Cloud;

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double kinetic(const Particle *p, int n)
{
    double e = 0;
    #pragma omp parallel for reduction(+:e) schedule(static)
    for (int i = 0; i < n; ++i) {
        const Particle *me = &p[i];
        double v2 = 0;
        for (int d = 0; d < 3; ++d) v2 += me->vel[d] * me->vel[d];
        e += 0.5 * me->mass * v2 * (me->kind ? 1 : 2) + me->mass * me->pos[2];
    }
    return e;
}
static void drift(Particle *p, double dt, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        Particle next = p[i];
        for (int d = 0; d < 3; ++d) { next.vel[d] -= dt * sin(next.pos[d]); next.pos[d] += dt * next.vel[d]; }
        p[i] = next;
    }
}
static double simulate(const Particle *start, int n)
{
    Particle *p = malloc(n * sizeof *p);
    memcpy(p, start, n * sizeof *p);
    for (int t = 0; t < 5; ++t) drift(p, 0.1, n);
    double e = kinetic(p, n);
    free(p);
    return e;
}
static double potential(const Cloud *c)
{
    double e = 0;
    #pragma omp parallel for reduction(+:e)
    for (size_t i = 0; i < c->n; ++i)
        for (size_t j = 0; j < c->n; ++j)
            if (i != j) {
                double dx = c->px[i] - c->px[j], dy = c->py[i] - c->py[j];
                e += c->q[i] * c->q[j] / sqrt(dx * dx + dy * dy + 0.01);
            }
    return e;
}
static int compare(const char *what, double got, double want)
{
    if (fabs(got - want) <= 1e-6 * (1 + fabs(want))) return 0;
    printf("%s: %.10g instead of %.10g\n", what, got, want);
    return 1;
}
int main(void)
{
    enum { N = 11 };
    Particle p[N], dp[N];
    int bad = 0;
    memset(p, 0, sizeof p);
    memset(dp, 0, sizeof dp);
    for (int i = 0; i < N; ++i) {
        for (int d = 0; d < 3; ++d) { p[i].pos[d] = sin(i + d); p[i].vel[d] = cos(2.0 * i - d); }
        p[i].mass = 1 + 0.1 * i;
        p[i].kind = i % 2;
    }
    __enzyme_autodiff((void *)simulate, enzyme_dup, p, dp, enzyme_const, N);
    double *fields[] = { &p[3].pos[1], &p[7].vel[2], &p[10].mass, &p[0].pos[2] };
    double *shadows[] = { &dp[3].pos[1], &dp[7].vel[2], &dp[10].mass, &dp[0].pos[2] };
    for (int k = 0; k < 4; ++k) {
        double h = 1e-6, at = *fields[k];
        *fields[k] = at + h; double up = simulate(p, N);
        *fields[k] = at - h; double low = simulate(p, N);
        *fields[k] = at;
        bad |= compare("simulate", *shadows[k], (up - low) / (2 * h));
    }
    double px[N], py[N], q[N], bx[N] = {0}, by[N] = {0}, bq[N] = {0};
    for (int i = 0; i < N; ++i) { px[i] = cos(i); py[i] = sin(3 * i); q[i] = i % 2 ? -1 : 0.5; }
    Cloud c = { px, py, q, N }, dc = { bx, by, bq, 0 };
    __enzyme_autodiff((void *)potential, enzyme_dup, &c, &dc);
    double *cf[] = { &px[4], &py[0], &q[9] }, *cs[] = { &bx[4], &by[0], &bq[9] };
    for (int k = 0; k < 3; ++k) {
        double h = 1e-6, at = *cf[k];
        *cf[k] = at + h; double up = potential(&c);
        *cf[k] = at - h; double low = potential(&c);
        *cf[k] = at;
        bad |= compare("potential", *cs[k], (up - low) / (2 * h));
    }
    return bad;
}
