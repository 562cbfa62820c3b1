/* A tiny ray tracer: spheres, recursion for reflections, vectors by value; derivative of a pixel by sphere parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { double x, y, z; } vec;
typedef struct { vec centre; double radius, albedo, mirror; } sphere;
typedef struct { vec origin, dir; } ray;

static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec scale(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec unit(vec a) { return scale(a, 1 / sqrt(dot(a, a))); }

static int hit(const sphere *s, ray r, double *t)
{
    vec oc = sub(r.origin, s->centre);
    double b = dot(oc, r.dir), c = dot(oc, oc) - s->radius * s->radius, disc = b * b - c;
    if (disc < 0)
        return 0;
    *t = -b - sqrt(disc);
    return *t > 1e-6;
}

static double trace(const sphere *world, int n, ray r, int depth)
{
    const sphere *nearest = NULL;
    double best = 1e30, t;
    for (int i = 0; i < n; i++)
        if (hit(&world[i], r, &t) && t < best) {
            best = t;
            nearest = &world[i];
        }
    if (nearest == NULL)
        return 0.5 * (r.dir.y + 1);
    vec p = add(r.origin, scale(r.dir, best));
    vec normal = scale(sub(p, nearest->centre), 1 / nearest->radius);
    double light = dot(normal, unit((vec){1, 2, -1}));
    double shade = nearest->albedo * (light > 0 ? light : 0.1 * light);
    if (depth == 0)
        return shade;
    ray bounce = {p, sub(r.dir, scale(normal, 2 * dot(r.dir, normal)))};
    return shade + nearest->mirror * trace(world, n, bounce, depth - 1);
}

double pixel(const sphere *world, int n)
{
    ray r = {{0, 0, -3}, unit((vec){0.05, 0.02, 1})};
    return trace(world, n, r, 3);
}

void __enzyme_autodiff(void *, ...);

int main(void)
{
    sphere world[2] = {{{0, 0, 1}, 1.0, 0.7, 0.4}, {{0.5, 1.5, -4}, 1.3, 0.5, 0.3}}, d[2];
    memset(d, 0, sizeof d);
    __enzyme_autodiff((void *)pixel, world, d, 2);
    double *v = (double *)world, *g = (double *)d;
    for (int i = 0; i < 12; i++) {
        double k = v[i];
        v[i] = k + 1e-6;
        double a = pixel(world, 2);
        v[i] = k - 1e-6;
        double b = pixel(world, 2);
        v[i] = k;
        double fd = (a - b) / 2e-6;
        if (!(fabs(fd - g[i]) < 1e-6 * (1 + fabs(fd)))) {
            printf("parameter %d: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
