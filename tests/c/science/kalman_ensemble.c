// flags: -lm
// Square-root Kalman filter and RTS smoother with arrays in structs, copied by value through history; a callback models the system.
#include "../check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 2 };
typedef struct { double m[NX][NX]; } mat;
typedef struct { double v[NX]; } vec;
typedef struct { vec x; mat p; } estimate;
typedef struct { estimate predicted, filtered; unsigned long tick; } record;
typedef vec (*motion)(vec, double dt, void *);

static mat mul(mat a, mat b)
{
    mat r = {{{0}}};
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NX; j++)
            for (int k = 0; k < NX; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}
static mat transposed(mat a)
{
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < i; j++) {
            double t = a.m[i][j];
            a.m[i][j] = a.m[j][i];
            a.m[j][i] = t;
        }
    return a;
}
static mat inverse(mat a)
{
    double d = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
    return (mat){{{a.m[1][1] / d, -a.m[0][1] / d}, {-a.m[1][0] / d, a.m[0][0] / d}}};
}
static mat plus(mat a, mat b, double s)
{
    for (double *p = &a.m[0][0], *q = &b.m[0][0], *end = p + NX * NX; p < end; p++, q++)
        *p += s * *q;
    return a;
}
static vec drift(vec x, double dt, void *count)
{
    ++*(int *)count;
    x.v[0] += dt * x.v[1];
    return x;
}
static estimate predict(estimate e, motion f, void *data, double dt, double noise)
{
    mat F = {{{1, dt}, {0, 1}}}, q = {{{noise * dt * dt, 0}, {0, noise}}};
    return (estimate){f(e.x, dt, data), plus(mul(mul(F, e.p), transposed(F)), q, 1)};
}
static estimate correct(estimate e, double z, double r)
{
    double s = e.p.m[0][0] + r, gain[NX];
    for (int i = 0; i < NX; i++)
        gain[i] = e.p.m[i][0] / s;
    double innovation = z - e.x.v[0];
    estimate out = e;
    for (int i = 0; i < NX; i++) {
        out.x.v[i] += gain[i] * innovation;
        for (int j = 0; j < NX; j++)
            out.p.m[i][j] -= gain[i] * e.p.m[0][j];
    }
    return out;
}
int main(void)
{
    enum { T = 60 };
    record *history = calloc(T, sizeof *history), now = {.filtered.p = {{{1, 0}, {0, 1}}}};
    int calls = 0;
    double dt = 0.1, raw = 0, filtered = 0, smoothed = 0;
    unsigned seed = 3;
    for (int t = 0; t < T; t++) {
        seed = seed * 1103515245u + 12345u;
        double truth = sin(0.5 * t * dt), z = truth + ((double)(seed >> 16 & 0x7fff) / 0x8000 - 0.5);
        now.predicted = predict(now.filtered, drift, &calls, dt, 0.01);
        now.filtered = correct(now.predicted, z, 0.1);
        now.tick = (unsigned long)t;
        history[t] = now;
        raw += (z - truth) * (z - truth);
        filtered += pow(now.filtered.x.v[0] - truth, 2);
    }
    mat F = {{{1, dt}, {0, 1}}};
    for (int t = T - 2; t >= 0; t--) {
        record *a = history + t, *b = a + 1;
        mat g = mul(mul(a->filtered.p, transposed(F)), inverse(b->predicted.p));
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NX; j++)
                a->filtered.x.v[i] += g.m[i][j] * (b->filtered.x.v[j] - b->predicted.x.v[j]);
        a->filtered.p = plus(a->filtered.p, mul(mul(g, plus(b->filtered.p, b->predicted.p, -1)), transposed(g)), 1);
    }
    for (int t = 0; t < T; t++)
        smoothed += pow(history[t].filtered.x.v[0] - sin(0.5 * t * dt), 2);
    CHECK(filtered < raw && smoothed < filtered);
    CHECK(calls == T && history[7].tick == 7);
    printf("%.3f %.3f %.3f\n", raw, filtered, smoothed);
    free(history);
    return check_done();
}
