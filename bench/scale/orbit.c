// Two bodies on their orbits by Runge-Kutta steps, with memory from the heap: the final distance as a function of the start.
#include <math.h>
#include <stdlib.h>

static void rate(const double *u, double mass, double *du)
{
    double r2 = u[0] * u[0] + u[1] * u[1];
    double pull = -mass / (r2 * sqrt(r2));
    du[0] = u[2];
    du[1] = u[3];
    du[2] = pull * u[0];
    du[3] = pull * u[1];
}

double orbit(int steps, const double start[4], double mass, double h)
{
    double *path = malloc(((size_t)steps + 1) * 4 * sizeof *path);
    if (!path)
        return 0.0;
    for (int i = 0; i < 4; i++)
        path[i] = start[i];
    for (int s = 0; s < steps; s++) {
        double k1[4], k2[4], k3[4], k4[4], v[4];
        double *u = path + 4 * s;
        rate(u, mass, k1);
        for (int i = 0; i < 4; i++)
            v[i] = u[i] + 0.5 * h * k1[i];
        rate(v, mass, k2);
        for (int i = 0; i < 4; i++)
            v[i] = u[i] + 0.5 * h * k2[i];
        rate(v, mass, k3);
        for (int i = 0; i < 4; i++)
            v[i] = u[i] + h * k3[i];
        rate(v, mass, k4);
        for (int i = 0; i < 4; i++)
            u[4 + i] = u[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    double sum = 0.0;
    for (int s = 0; s <= steps; s++)
        sum += sqrt(path[4 * s] * path[4 * s] + path[4 * s + 1] * path[4 * s + 1]);
    free(path);
    return sum / (steps + 1);
}
