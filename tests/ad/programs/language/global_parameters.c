/* Globals as parameters: inactive inputs, a global scratch array written and read, a global struct of settings. */
#include <math.h>
#include <stdio.h>

double gravity = 9.81;
static struct { double drag; int steps; } settings = {.drag = 0.1, .steps = 50};
static double trajectory[64];
double __enzyme_autodiff(void *, ...);

static void simulate(double v0, double angle)
{
    double x = 0, y = 0, vx = v0 * cos(angle), vy = v0 * sin(angle);
    for (int i = 0; i < settings.steps; i++) {
        double speed = sqrt(vx * vx + vy * vy);
        vx -= 0.02 * settings.drag * speed * vx;
        vy -= 0.02 * (gravity + settings.drag * speed * vy);
        x += 0.02 * vx;
        y += 0.02 * vy;
        trajectory[i] = x + y;
    }
}

double objective(double v0, double angle)
{
    simulate(v0, angle);
    double s = 0;
    for (int i = 0; i < settings.steps; i++)
        s += trajectory[i] * trajectory[i];
    return s / settings.steps;
}

struct both { double v, a; };
struct both __enzyme_autodiff_both(void *, ...);

int main(void)
{
    for (int round = 0; round < 2; round++) {
        struct both g = __enzyme_autodiff_both((void *)objective, 7.0, 0.8);
        double e = 1e-6, fv = (objective(7 + e, 0.8) - objective(7 - e, 0.8)) / (2 * e), fa = (objective(7, 0.8 + e) - objective(7, 0.8 - e)) / (2 * e);
        if (!(fabs(g.v - fv) < 1e-6 * (1 + fabs(fv)) && fabs(g.a - fa) < 1e-6 * (1 + fabs(fa)))) {
            printf("round %d: (%g %g) vs (%g %g)\n", round, g.v, g.a, fv, fa);
            return 1;
        }
        gravity = 3.7;
        settings.drag = 0.3;
        settings.steps = 40;
    }
    return 0;
}
