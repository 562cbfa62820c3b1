/* Velocity Verlet on a Kepler orbit with struct state passed by value and returned. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

typedef struct {
    double x, y, vx, vy;
} State;

typedef struct {
    double ax, ay;
} Accel;

static inline Accel gravity(State s, double mu)
{
    double r2 = s.x * s.x + s.y * s.y;
    double inv = 1.0 / (r2 * sqrt(r2));
    return (Accel){.ax = -mu * s.x * inv, .ay = -mu * s.y * inv};
}

static State verlet(State s, double mu, double h)
{
    Accel a = gravity(s, mu);
    s.vx += 0.5 * h * a.ax;
    s.vy += 0.5 * h * a.ay;
    s.x += h * s.vx;
    s.y += h * s.vy;
    a = gravity(s, mu);
    s.vx += 0.5 * h * a.ax;
    s.vy += 0.5 * h * a.ay;
    return s;
}

static double miss(const double *start, double mu)
{
    State s = {start[0], start[1], start[2], start[3]};
    for (int i = 0; i < 300; i++)
        s = verlet(s, mu, 0.01);
    double dx = s.x - 0.5, dy = s.y - 0.25;
    return dx * dx + dy * dy;
}

extern double __enzyme_autodiff_orbit(void *, const double *, double *, double);

int main()
{
    double start[4] = {1.0, 0.0, 0.1, 0.95}, grad[4] = {0, 0, 0, 0};
    double dmu = __enzyme_autodiff_orbit((void *)miss, start, grad, 1.0);
    for (int i = 0; i < 4; i++) {
        double e = 1e-6, keep = start[i];
        start[i] = keep + e;
        double a = miss(start, 1.0);
        start[i] = keep - e;
        double b = miss(start, 1.0);
        start[i] = keep;
        double fd = (a - b) / (2 * e);
        if (!(fabs(fd - grad[i]) <= 1e-5 * (1.0 + fabs(fd)))) {
            printf("start[%d]: %g != %g\n", i, grad[i], fd);
            return 1;
        }
    }
    double fd = (miss(start, 1.0 + 1e-6) - miss(start, 1.0 - 1e-6)) / 2e-6;
    if (!(fabs(fd - dmu) <= 1e-5 * (1.0 + fabs(fd)))) {
        printf("mu: %g != %g\n", dmu, fd);
        return 2;
    }
    return 0;
}
