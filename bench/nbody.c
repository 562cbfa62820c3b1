// Gravitation of n bodies: all pairs, structures, leapfrog steps.
#include "kernel.h"

enum { N = 400, STEPS = 10 };

struct body {
    double position[3];
    double velocity[3];
    double mass;
};

static struct body bodies[N];

static void kernel(struct body *body, int n, int steps, double dt)
{
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++) {
            double ax = 0.0, ay = 0.0, az = 0.0;
            for (int j = 0; j < n; j++) {
                if (j == i)
                    continue;
                double dx = body[j].position[0] - body[i].position[0];
                double dy = body[j].position[1] - body[i].position[1];
                double dz = body[j].position[2] - body[i].position[2];
                double r2 = dx * dx + dy * dy + dz * dz + 1e-3;
                double pull = body[j].mass / (r2 * sqrt(r2));
                ax += pull * dx;
                ay += pull * dy;
                az += pull * dz;
            }
            body[i].velocity[0] += dt * ax;
            body[i].velocity[1] += dt * ay;
            body[i].velocity[2] += dt * az;
        }
        for (int i = 0; i < n; i++)
            for (int d = 0; d < 3; d++)
                body[i].position[d] += dt * body[i].velocity[d];
    }
}

int main(void)
{
    double seconds, energy = 0.0;
    for (int i = 0; i < N; i++) {
        for (int d = 0; d < 3; d++)
            bodies[i].position[d] = kernel_random() - 0.5;
        bodies[i].mass = kernel_random() / N;
    }
    KERNEL_TIME(seconds, 10, kernel(bodies, N, STEPS, 1e-5));
    for (int i = 0; i < N; i++)
        for (int d = 0; d < 3; d++)
            energy += 0.5 * bodies[i].mass * bodies[i].velocity[d] * bodies[i].velocity[d];
    kernel_report(energy * 1e6, seconds);
    return 0;
}
