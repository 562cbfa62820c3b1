// Pairs of bodies: each is read by its own thread and by all others.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;

static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

struct body { double x, y, z, mass; };
static double potential(const struct body *bodies, int n)
{
    double energy = 0.0;
#pragma omp parallel for reduction(- : energy) schedule(static)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = bodies[i].x - bodies[j].x, dy = bodies[i].y - bodies[j].y, dz = bodies[i].z - bodies[j].z;
            energy -= bodies[i].mass * bodies[j].mass / sqrt(dx * dx + dy * dy + dz * dz + 0.01);
        }
    return energy;
}
int main(void)
{
    int n = 21;
    double x[4 * 21], d[4 * 21] = {0};
    for (int i = 0; i < 4 * n; i++) x[i] = 1 + sin(i * i);
    __enzyme_autodiff((void *)potential, enzyme_dup, (struct body *)x, (struct body *)d, enzyme_const, n);
    for (int i = 0; i < 4 * n; i++) {
        double h = 1e-6, p[84], q[84];
        memcpy(p, x, sizeof x); memcpy(q, x, sizeof x); p[i] += h; q[i] -= h;
        double w = (potential((struct body *)p, n) - potential((struct body *)q, n)) / (2 * h);
        if (fabs(d[i] - w) > 1e-5 * (1 + fabs(w))) check("d", 0, d[i], w);
    }
    return failures != 0;
}
