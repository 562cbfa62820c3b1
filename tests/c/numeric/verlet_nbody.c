// flags: -lm
// Velocity Verlet n-body with struct arrays; energy conservation.
#include "../check.h"
#include <math.h>

typedef struct { double x, y, z; } vec;
typedef struct { vec position, velocity, force; double mass; } body;

static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec axpy(double s, vec a, vec b) { return (vec){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z}; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static void forces(body *b, int n)
{
    for (int i = 0; i < n; i++)
        b[i].force = (vec){0, 0, 0};
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            vec d = sub(b[j].position, b[i].position);
            double r2 = dot(d, d) + 1e-4, f = b[i].mass * b[j].mass / (r2 * sqrt(r2));
            b[i].force = axpy(f, d, b[i].force);
            b[j].force = axpy(-f, d, b[j].force);
        }
}
static double energy(const body *b, int n)
{
    double e = 0;
    for (int i = 0; i < n; i++) {
        e += 0.5 * b[i].mass * dot(b[i].velocity, b[i].velocity);
        for (int j = 0; j < i; j++) {
            vec d = sub(b[i].position, b[j].position);
            e -= b[i].mass * b[j].mass / sqrt(dot(d, d) + 1e-4);
        }
    }
    return e;
}

int main(void)
{
    body b[3] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 10}, {{1, 0, 0}, {0, 3.1, 0}, {0, 0, 0}, 0.1}, {{-2, 0, 0.1}, {0, -2.2, 0.1}, {0, 0, 0}, 0.2}};
    double h = 0.001, e0 = energy(b, 3);
    forces(b, 3);
    for (int t = 0; t < 2000; t++) {
        for (body *p = b; p < b + 3; p++) {
            p->velocity = axpy(h / 2 / p->mass, p->force, p->velocity);
            p->position = axpy(h, p->velocity, p->position);
        }
        forces(b, 3);
        for (body *p = b; p < b + 3; p++)
            p->velocity = axpy(h / 2 / p->mass, p->force, p->velocity);
    }
    CHECK_NEAR(energy(b, 3) / e0, 1, 1e-4);
    vec momentum = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        momentum = axpy(b[i].mass, b[i].velocity, momentum);
    CHECK_NEAR(momentum.y, 0.31 - 0.44, 1e-10);
    printf("%.8f %.8f %.8f\n", b[1].position.x, b[1].position.y, b[2].position.z);
    return check_done();
}
