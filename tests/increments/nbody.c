// grad: potential
// no: atomic
// how: bodies[i].x: plain: each thread reads its own part
// how: bodies[j].x: a copy for each thread
#include <math.h>

struct body {
    double x, y, z, mass;
};

double potential(const struct body *bodies, int n)
{
    double energy = 0.0;
#pragma omp parallel for reduction(- : energy)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = bodies[i].x - bodies[j].x, dy = bodies[i].y - bodies[j].y, dz = bodies[i].z - bodies[j].z;
            energy -= bodies[i].mass * bodies[j].mass / sqrt(dx * dx + dy * dy + dz * dz + 0.01);
        }
    return energy;
}
