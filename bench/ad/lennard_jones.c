// size: 5
// Molecular dynamics: 256 atoms in a periodic box with a Lennard-Jones potential, cut off and shifted so that it and its force end at zero, `size` steps of velocity Verlet; the energy at the end.
#include "gradient.h"

enum { ATOMS = 256 };

static const double box = 7.0, cutoff = 2.5;

static double forces(int n, const double *position, double *force)
{
    double energy = 0.0, c6 = pow(cutoff, -6), last_energy = 4 * (c6 * c6 - c6), last_force = (48 * c6 * c6 - 24 * c6) / cutoff;
    for (int i = 0; i < 3 * n; i++)
        force[i] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], r2 = 0.0;
            for (int c = 0; c < 3; c++) {
                d[c] = position[3 * i + c] - position[3 * j + c];
                if (d[c] > box / 2)
                    d[c] -= box;
                if (d[c] < -box / 2)
                    d[c] += box;
                r2 += d[c] * d[c];
            }
            if (r2 >= cutoff * cutoff)
                continue;
            double r = sqrt(r2), r6 = 1 / (r2 * r2 * r2), strength = (48 * r6 * r6 - 24 * r6) / r2 - last_force / r;
            energy += 4 * (r6 * r6 - r6) - last_energy + (r - cutoff) * last_force;
            for (int c = 0; c < 3; c++) {
                force[3 * i + c] += strength * d[c];
                force[3 * j + c] -= strength * d[c];
            }
        }
    return energy;
}

static double simulated(int n, const double *start, const double *velocities, int steps)
{
    double *x = malloc(3 * (size_t)n * sizeof *x), *v = malloc(3 * (size_t)n * sizeof *v), *f = malloc(3 * (size_t)n * sizeof *f);
    double dt = 0.001, potential = 0.0, kinetic = 0.0;
    for (int i = 0; i < 3 * n; i++) {
        x[i] = start[i];
        v[i] = velocities[i];
    }
    forces(n, x, f);
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 3 * n; i++) {
            v[i] += dt / 2 * f[i];
            x[i] += dt * v[i];
        }
        potential = forces(n, x, f);
        for (int i = 0; i < 3 * n; i++)
            v[i] += dt / 2 * f[i];
    }
    for (int i = 0; i < 3 * n; i++)
        kinetic += v[i] * v[i] / 2;
    free(x);
    free(v);
    free(f);
    return potential + 0.5 * kinetic;
}

static struct array start, velocities;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(3 * ATOMS, -0.05, 0.05);
    /* Near a lattice, so that no two atoms are too close. */
    for (int i = 0; i < ATOMS; i++) {
        start.x[3 * i] += (i % 7 + 0.5) * box / 7;
        start.x[3 * i + 1] += (i / 7 % 7 + 0.5) * box / 7;
        start.x[3 * i + 2] += (i / 49 + 0.5) * box / 7;
    }
    velocities = variables(3 * ATOMS, -1, 1);
}
static double objective(void) { return simulated(ATOMS, start.x, velocities.x, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)simulated, enzyme_const, ATOMS, enzyme_dup, start.x, start.bar, enzyme_dup, velocities.x, velocities.bar, enzyme_const, steps);
}
