// flags: -lm
// 1-D Euler equations: states as structures by value, a table of flux functions, a limiter by function pointer.
#include "../check.h"
#include <math.h>
#include <string.h>

typedef struct { double rho, m, e; } cons;
typedef struct { double rho, u, p; } prim;
typedef cons (*flux_fn)(cons, cons);
typedef double (*limiter_fn)(double, double);
static const double GAMMA = 1.4;

static prim to_prim(cons c)
{
    prim w = {.rho = c.rho, .u = c.m / c.rho};
    w.p = (GAMMA - 1) * (c.e - 0.5 * c.m * w.u);
    return w;
}
static cons to_cons(prim w) { return (cons){w.rho, w.rho * w.u, w.p / (GAMMA - 1) + 0.5 * w.rho * w.u * w.u}; }
static cons physical(cons c)
{
    prim w = to_prim(c);
    return (cons){c.m, c.m * w.u + w.p, (c.e + w.p) * w.u};
}
static cons combine(double a, cons x, double b, cons y)
{
    return (cons){a * x.rho + b * y.rho, a * x.m + b * y.m, a * x.e + b * y.e};
}
static double speed(cons c) { prim w = to_prim(c); return fabs(w.u) + sqrt(GAMMA * w.p / w.rho); }

static cons rusanov(cons l, cons r)
{
    double a = fmax(speed(l), speed(r));
    return combine(1, combine(0.5, physical(l), 0.5, physical(r)), -0.5 * a, combine(1, r, -1, l));
}
static cons hll(cons l, cons r)
{
    prim wl = to_prim(l), wr = to_prim(r);
    double cl = sqrt(GAMMA * wl.p / wl.rho), cr = sqrt(GAMMA * wr.p / wr.rho);
    double sl = fmin(wl.u - cl, wr.u - cr), sr = fmax(wl.u + cl, wr.u + cr);
    if (sl >= 0)
        return physical(l);
    else if (sr <= 0)
        return physical(r);
    cons f = combine(sr, physical(l), -sl, physical(r));
    f = combine(1, f, sl * sr, combine(1, r, -1, l));
    return combine(1 / (sr - sl), f, 0, f);
}
static double minmod(double a, double b) { return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b; }
static double van_leer(double a, double b) { return a * b > 0 ? 2 * a * b / (a + b) : 0; }

static const struct scheme { const char *name; flux_fn flux; limiter_fn limiter; } schemes[] = {
    {"rusanov", rusanov, NULL}, {"hll", hll, minmod}, {"hll", hll, van_leer},
};

enum { N = 60, G = 2 };

static cons slope(const cons *c, limiter_fn limit)
{
    cons s;
    const double *a = &c[-1].rho, *b = &c[0].rho, *d = &c[1].rho;
    double *out = &s.rho;
    for (int k = 0; k < 3; k++)
        out[k] = limit ? limit(b[k] - a[k], d[k] - b[k]) : 0;
    return s;
}

static double run(const struct scheme *s, double end)
{
    cons u[N + 2 * G], f[N + 1];
    for (int i = 0; i < N + 2 * G; i++)
        u[i] = to_cons(i < N / 2 + G ? (prim){1, 0, 1} : (prim){0.125, 0, 0.1});
    double t = 0, dx = 1.0 / N;
    for (int steps = 0; t < end; steps++) {
        double fastest = 0;
        for (int i = G; i < N + G; i++)
            fastest = fmax(fastest, speed(u[i]));
        double dt = 0.4 * dx / fastest;
        if (t + dt > end)
            dt = end - t;
        for (int g = 0; g < G; g++) {
            u[g] = u[G];
            u[N + G + g] = u[N + G - 1];
        }
        for (int i = 0; i <= N; i++) {
            const cons *c = u + G + i;
            f[i] = s->flux(combine(1, c[-1], 0.5, slope(c - 1, s->limiter)), combine(1, c[0], -0.5, slope(c, s->limiter)));
        }
        for (int i = 0; i < N; i++)
            u[i + G] = combine(1, u[i + G], -dt / dx, combine(1, f[i + 1], -1, f[i]));
        t += dt;
    }
    double mass = 0;
    for (int i = G; i < N + G; i++)
        mass += u[i].rho * dx;
    prim w = to_prim(u[G + 3 * N / 4]);
    printf("%s %.4f %.4f %.4f\n", s->name, w.rho, w.u, w.p);
    return mass;
}

int main(void)
{
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        CHECK_NEAR(run(&schemes[k], 0.1), 0.5625, 1e-9);
    return check_done();
}
