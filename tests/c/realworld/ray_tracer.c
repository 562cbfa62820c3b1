// flags: -lm
// A ray tracer with several primitives behind one interface, shadows,
// reflection, refraction and a checksum of the quantised picture.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y, z; } vec;
typedef struct { vec origin, direction; } ray;
typedef struct { vec color; double diffuse, specular, reflect, refract, index; int checker; } material;
typedef struct { double t; vec point, normal; const material *material; int inside; } hit;

typedef struct shape shape;
struct shape {
    int (*intersect)(const shape *, const ray *, hit *);
    material material;
    union {
        struct { vec center; double radius; } sphere;
        struct { vec normal; double offset; } plane;
        struct { vec low, high; } box;
        struct { vec a, b, c; } triangle;
    };
};

typedef struct { vec position; double power; } lamp;
typedef struct { const shape *shapes; int shape_count; const lamp *lamps; int lamp_count; long rays; } scene;

static vec V(double x, double y, double z) { return (vec){x, y, z}; }
static vec add(vec a, vec b) { return V(a.x + b.x, a.y + b.y, a.z + b.z); }
static vec sub(vec a, vec b) { return V(a.x - b.x, a.y - b.y, a.z - b.z); }
static vec mul(vec a, double s) { return V(a.x * s, a.y * s, a.z * s); }
static vec blend(vec a, vec b) { return V(a.x * b.x, a.y * b.y, a.z * b.z); }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) { return V(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static vec normalise(vec a) { return mul(a, 1 / sqrt(dot(a, a))); }
static double component(vec a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

#define NEAR 1e-6

static int set_hit(const shape *s, const ray *r, double t, vec normal, hit *h)
{
    if (t < NEAR || t >= h->t)
        return 0;
    h->t = t;
    h->point = add(r->origin, mul(r->direction, t));
    h->inside = dot(normal, r->direction) > 0;
    h->normal = h->inside ? mul(normal, -1) : normal;
    h->material = &s->material;
    return 1;
}

static int hit_sphere(const shape *s, const ray *r, hit *h)
{
    vec oc = sub(r->origin, s->sphere.center);
    double b = dot(oc, r->direction), c = dot(oc, oc) - s->sphere.radius * s->sphere.radius, d = b * b - c;
    if (d < 0)
        return 0;
    d = sqrt(d);
    double t = -b - d < NEAR ? -b + d : -b - d;
    vec p = add(r->origin, mul(r->direction, t));
    return set_hit(s, r, t, mul(sub(p, s->sphere.center), 1 / s->sphere.radius), h);
}

static int hit_plane(const shape *s, const ray *r, hit *h)
{
    double along = dot(s->plane.normal, r->direction);
    if (fabs(along) < 1e-12)
        return 0;
    return set_hit(s, r, (s->plane.offset - dot(s->plane.normal, r->origin)) / along, s->plane.normal, h);
}

static int hit_box(const shape *s, const ray *r, hit *h)
{
    double enter = -1e30, leave = 1e30;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        double o = component(r->origin, i), d = component(r->direction, i);
        double low = component(s->box.low, i), high = component(s->box.high, i);
        if (fabs(d) < 1e-12) {
            if (o < low || o > high)
                return 0;
            continue;
        }
        double t1 = (low - o) / d, t2 = (high - o) / d;
        if (t1 > t2) {
            double t = t1;
            t1 = t2;
            t2 = t;
        }
        if (t1 > enter) {
            enter = t1;
            axis = i;
        }
        leave = fmin(leave, t2);
    }
    if (enter > leave || enter < NEAR)
        return 0;
    double sign = component(r->direction, axis) > 0 ? -1 : 1;
    return set_hit(s, r, enter, V(sign * (axis == 0), sign * (axis == 1), sign * (axis == 2)), h);
}

static int hit_triangle(const shape *s, const ray *r, hit *h)
{
    vec e1 = sub(s->triangle.b, s->triangle.a), e2 = sub(s->triangle.c, s->triangle.a), p = cross(r->direction, e2);
    double det = dot(e1, p);
    if (fabs(det) < 1e-12)
        return 0;
    vec t = sub(r->origin, s->triangle.a);
    double u = dot(t, p) / det;
    if (u < 0 || u > 1)
        return 0;
    vec q = cross(t, e1);
    double v = dot(r->direction, q) / det;
    if (v < 0 || u + v > 1)
        return 0;
    return set_hit(s, r, dot(e2, q) / det, normalise(cross(e1, e2)), h);
}

static int find_nearest(const scene *s, const ray *r, hit *h)
{
    int found = 0;
    for (const shape *p = s->shapes; p < s->shapes + s->shape_count; p++)
        found |= p->intersect(p, r, h);
    return found;
}

static vec surface_color(const hit *h)
{
    if (!h->material->checker)
        return h->material->color;
    int parity = (int)floor(h->point.x) + (int)floor(h->point.z);
    return parity & 1 ? h->material->color : mul(h->material->color, 0.3);
}

static vec trace(scene *s, const ray *r, int depth)
{
    hit h = {.t = 1e30};
    s->rays++;
    if (!find_nearest(s, r, &h)) {
        double t = 0.5 * (r->direction.y + 1);
        return add(mul(V(0.5, 0.7, 1), t), mul(V(1, 1, 1), 1 - t));
    }
    const material *m = h.material;
    vec color = mul(surface_color(&h), 0.1);
    for (int i = 0; i < s->lamp_count; i++) {
        vec to = sub(s->lamps[i].position, h.point);
        double distance = sqrt(dot(to, to));
        ray shadow = {h.point, mul(to, 1 / distance)};
        hit blocker = {.t = distance};
        if (find_nearest(s, &shadow, &blocker))
            continue;
        double facing = fmax(0, dot(h.normal, shadow.direction)) * s->lamps[i].power;
        color = add(color, mul(surface_color(&h), m->diffuse * facing));
        vec half = normalise(sub(shadow.direction, r->direction));
        color = add(color, mul(V(1, 1, 1), m->specular * pow(fmax(0, dot(h.normal, half)), 32)));
    }
    if (depth >= 4)
        return color;
    if (m->reflect > 0) {
        ray mirror = {h.point, sub(r->direction, mul(h.normal, 2 * dot(r->direction, h.normal)))};
        color = add(color, mul(blend(trace(s, &mirror, depth + 1), m->color), m->reflect));
    }
    if (m->refract > 0) {
        double eta = h.inside ? m->index : 1 / m->index, c = -dot(r->direction, h.normal), k = 1 - eta * eta * (1 - c * c);
        if (k > 0) {
            ray through = {h.point, normalise(add(mul(r->direction, eta), mul(h.normal, eta * c - sqrt(k))))};
            color = add(color, mul(trace(s, &through, depth + 1), m->refract));
        }
    }
    return color;
}

static int quantise(double v) { return v <= 0 ? 0 : v >= 1 ? 15 : (int)(sqrt(v) * 15.999); }

int main(void)
{
    const shape shapes[] = {
        {hit_plane, {{0.8, 0.8, 0.7}, 0.7, 0, 0.1, 0, 1, 1}, .plane = {{0, 1, 0}, -1}},
        {hit_sphere, {{0.9, 0.2, 0.2}, 0.7, 0.5, 0.2, 0, 1, 0}, .sphere = {{-1.2, 0, 4}, 1}},
        {hit_sphere, {{1, 1, 1}, 0.1, 0.8, 0.1, 0.8, 1.5, 0}, .sphere = {{0.6, -0.3, 2.8}, 0.6}},
        {hit_box, {{0.2, 0.3, 0.9}, 0.8, 0.2, 0, 0, 1, 0}, .box = {{0.9, -1, 4.2}, {2.3, 0.4, 5.4}}},
        {hit_triangle, {{0.3, 0.8, 0.3}, 0.8, 0, 0.3, 0, 1, 0}, .triangle = {{-3, -1, 7}, {3, -1, 7}, {0, 3, 7}}}};
    const lamp lamps[] = {{{-4, 5, -1}, 0.8}, {{3, 6, 2}, 0.4}};
    scene s = {shapes, sizeof shapes / sizeof shapes[0], lamps, 2, 0};
    enum { WIDTH = 44, HEIGHT = 20 };
    static const char ramp[] = " .,:;i1tfLCG08@#";
    uint32_t checksum = 0;
    int bad = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            ray r = {{0, 0.4, -1}, normalise(V((x - WIDTH / 2 + 0.37) / WIDTH * 1.8, (HEIGHT / 2 - y - 0.41) / HEIGHT * 1.5, 1.2))};
            vec c = trace(&s, &r, 0);
            bad += !(c.x >= 0 && c.y >= 0 && c.z >= 0);
            int level = quantise(0.3 * c.x + 0.6 * c.y + 0.1 * c.z);
            checksum = checksum * 31 + (uint32_t)level;
            putchar(ramp[level]);
        }
        putchar('\n');
    }
    printf("%08x %ld rays\n", checksum, s.rays);
    bad += s.rays < WIDTH * HEIGHT;
    printf("%d bad\n", bad);
    return bad != 0;
}
