// flags: -lm
// 1-D shallow water dam break with Rusanov fluxes; struct state.
#include "../check.h"
#include <math.h>

typedef struct { double h, hu; } state;
static const double G = 9.81;

static state physical(state s) { double u = s.hu / s.h; return (state){s.hu, s.hu * u + 0.5 * G * s.h * s.h}; }
static double speed(state s) { return fabs(s.hu / s.h) + sqrt(G * s.h); }
static state rusanov(state l, state r)
{
    state a = physical(l), b = physical(r);
    double c = fmax(speed(l), speed(r));
    return (state){0.5 * (a.h + b.h - c * (r.h - l.h)), 0.5 * (a.hu + b.hu - c * (r.hu - l.hu))};
}

int main(void)
{
    enum { N = 100 };
    state s[N + 2], flux[N + 1];
    double dx = 0.1, t = 0;
    for (int i = 0; i < N + 2; i++)
        s[i] = (state){i <= N / 2 ? 2.0 : 1.0, 0};
    int steps = 0;
    while (t < 0.5) {
        s[0] = s[1];
        s[N + 1] = s[N];
        s[0].hu = -s[0].hu;
        s[N + 1].hu = -s[N + 1].hu;
        double fastest = 0;
        for (int i = 0; i <= N; i++) {
            flux[i] = rusanov(s[i], s[i + 1]);
            fastest = fmax(fastest, speed(s[i]));
        }
        double dt = 0.4 * dx / fastest;
        for (int i = 1; i <= N; i++) {
            s[i].h -= dt / dx * (flux[i].h - flux[i - 1].h);
            s[i].hu -= dt / dx * (flux[i].hu - flux[i - 1].hu);
        }
        t += dt;
        steps++;
    }
    double mass = 0;
    for (int i = 1; i <= N; i++) {
        mass += s[i].h * dx;
        CHECK(s[i].h > 0.99 && s[i].h < 2.01);
    }
    CHECK_NEAR(mass, 15.0, 1e-9);
    printf("%d %.9f %.9f\n", steps, s[N / 2].h, s[N / 2].hu);
    return check_done();
}
