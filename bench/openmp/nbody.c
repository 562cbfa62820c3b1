// size: 1200
// The potential of `size` bodies that attract each other.
#include "../ad/gradient.h"

struct body {
    double x, y, z, mass;
};

static double potential(const struct body *bodies, int n)
{
    double energy = 0.0;
#pragma omp parallel for reduction(+ : energy) schedule(static, 8)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = bodies[i].x - bodies[j].x, dy = bodies[i].y - bodies[j].y, dz = bodies[i].z - bodies[j].z;
            energy -= bodies[i].mass * bodies[j].mass / sqrt(dx * dx + dy * dy + dz * dz + 0.01);
        }
    return energy;
}

static struct array bodies;
static int n;
static void setup(int size)
{
    n = size;
    bodies = variables(4 * (size_t)n, 0.1, 2);
}
static double objective(void) { return potential((const struct body *)bodies.x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)potential, enzyme_dup, (struct body *)bodies.x, (struct body *)bodies.bar, enzyme_const, n);
}
