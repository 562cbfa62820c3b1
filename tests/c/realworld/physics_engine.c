// flags: -lm
// A 2-D rigid circle engine: broad phase by sweep, impulses, walls, springs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y; } vec;
typedef struct {
    vec position, velocity, force;
    double radius, inverse_mass;
    unsigned fixed : 1, sleeping : 1, id : 10;
} body;
typedef struct { int a, b; double rest, stiffness, damping; } spring;
typedef struct { body *a, *b; vec normal; double depth; } contact;
typedef struct {
    body *bodies;
    int count;
    spring springs[8];
    int spring_count;
    vec gravity, low, high;
    double restitution;
    long contacts, pairs_tested;
} world;

static vec v_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y}; }
static vec v_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y}; }
static vec v_scale(vec a, double s) { return (vec){a.x * s, a.y * s}; }
static double v_dot(vec a, vec b) { return a.x * b.x + a.y * b.y; }
static double v_length(vec a) { return sqrt(v_dot(a, a)); }

static int world_init(world *w, int n)
{
    *w = (world){.gravity = {0, -10}, .high = {10, 20}, .restitution = 0.5, .count = n};
    w->bodies = calloc((size_t)n, sizeof *w->bodies);
    if (!w->bodies)
        return -1;
    for (int i = 0; i < n; i++) {
        body *b = &w->bodies[i];
        b->id = (unsigned)i;
        b->radius = 0.25 + 0.05 * (i % 4);
        b->inverse_mass = 1 / (b->radius * b->radius * 4);
        b->position = (vec){1 + (i % 5) * 1.75 + 0.1 * (i / 5), 2 + (i / 5) * 1.5};
        b->velocity = (vec){(i % 3) - 1.0, 0};
    }
    w->bodies[0].fixed = 1;
    w->bodies[0].inverse_mass = 0;
    return 0;
}

static void apply_springs(world *w)
{
    for (const spring *s = w->springs; s < w->springs + w->spring_count; s++) {
        body *a = &w->bodies[s->a], *b = &w->bodies[s->b];
        vec d = v_sub(b->position, a->position);
        double length = v_length(d);
        if (length < 1e-9)
            continue;
        vec n = v_scale(d, 1 / length);
        double f = s->stiffness * (length - s->rest) + s->damping * v_dot(v_sub(b->velocity, a->velocity), n);
        a->force = v_add(a->force, v_scale(n, f));
        b->force = v_sub(b->force, v_scale(n, f));
    }
}

static int compare_left(const void *p, const void *q)
{
    const body *a = *(body *const *)p, *b = *(body *const *)q;
    double x = a->position.x - a->radius, y = b->position.x - b->radius;
    return x != y ? (x > y) - (x < y) : (int)a->id - (int)b->id;
}

static int find_contacts(world *w, contact *out, int limit)
{
    body *order[64];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        order[i] = &w->bodies[i];
    qsort(order, (size_t)w->count, sizeof *order, compare_left);
    for (int i = 0; i < w->count; i++)
        for (int j = i + 1; j < w->count; j++) {
            body *a = order[i], *b = order[j];
            if (b->position.x - b->radius > a->position.x + a->radius)
                break; // sorted: nothing further can touch a
            w->pairs_tested++;
            vec d = v_sub(b->position, a->position);
            double reach = a->radius + b->radius, square = v_dot(d, d);
            if (square >= reach * reach || n == limit)
                continue;
            double length = sqrt(square);
            out[n++] = (contact){a, b, length > 0 ? v_scale(d, 1 / length) : (vec){1, 0}, reach - length};
        }
    return n;
}

static void resolve(const world *w, contact *c)
{
    double inverse = c->a->inverse_mass + c->b->inverse_mass;
    if (inverse == 0)
        return;
    double approach = v_dot(v_sub(c->b->velocity, c->a->velocity), c->normal);
    if (approach < 0) {
        vec impulse = v_scale(c->normal, -(1 + w->restitution) * approach / inverse);
        c->a->velocity = v_sub(c->a->velocity, v_scale(impulse, c->a->inverse_mass));
        c->b->velocity = v_add(c->b->velocity, v_scale(impulse, c->b->inverse_mass));
    }
    vec correction = v_scale(c->normal, 0.6 * c->depth / inverse);
    c->a->position = v_sub(c->a->position, v_scale(correction, c->a->inverse_mass));
    c->b->position = v_add(c->b->position, v_scale(correction, c->b->inverse_mass));
}

static void clamp_axis(double *position, double *velocity, double low, double high, double restitution)
{
    if (*position < low) {
        *position = low;
        if (*velocity < 0)
            *velocity *= -restitution;
    } else if (*position > high) {
        *position = high;
        if (*velocity > 0)
            *velocity *= -restitution;
    }
}

static void world_step(world *w, double dt)
{
    contact contacts[128];
    for (body *b = w->bodies; b < w->bodies + w->count; b++)
        b->force = (vec){0, 0};
    apply_springs(w);
    for (body *b = w->bodies; b < w->bodies + w->count; b++) {
        if (b->fixed)
            continue;
        vec acceleration = v_add(w->gravity, v_scale(b->force, b->inverse_mass));
        b->velocity = v_add(b->velocity, v_scale(acceleration, dt));
        b->position = v_add(b->position, v_scale(b->velocity, dt));
        b->sleeping = v_dot(b->velocity, b->velocity) < 1e-3;
    }
    int n = find_contacts(w, contacts, 128);
    w->contacts += n;
    for (int i = 0; i < n; i++)
        resolve(w, &contacts[i]);
    for (body *b = w->bodies; b < w->bodies + w->count; b++) {
        if (b->fixed)
            continue;
        clamp_axis(&b->position.x, &b->velocity.x, w->low.x + b->radius, w->high.x - b->radius, w->restitution);
        clamp_axis(&b->position.y, &b->velocity.y, w->low.y + b->radius, w->high.y - b->radius, w->restitution);
    }
}

int main(void)
{
    world w;
    int bad = 0;
    if (world_init(&w, 20))
        return 2;
    w.springs[w.spring_count++] = (spring){0, 1, 1.5, 40, 1};
    w.springs[w.spring_count++] = (spring){1, 6, 1.2, 25, 0.5};
    for (int step = 0; step < 250; step++) {
        world_step(&w, 0.005);
        if (step % 50 == 49) {
            double kinetic = 0;
            for (int i = 1; i < w.count; i++)
                kinetic += 0.5 * v_dot(w.bodies[i].velocity, w.bodies[i].velocity) / w.bodies[i].inverse_mass;
            printf("%d %.6f %.6f %.6f\n", step + 1, w.bodies[7].position.x, w.bodies[7].position.y, kinetic);
        }
    }
    for (int i = 0; i < w.count; i++) {
        const body *b = &w.bodies[i];
        bad += b->position.x < b->radius - 1e-12 || b->position.x > 10 - b->radius + 1e-12;
        bad += b->position.y < b->radius - 1e-12 || !isfinite(b->velocity.x + b->velocity.y);
    }
    bad += w.bodies[0].position.x != 1 || w.bodies[0].position.y != 2;
    bad += w.contacts == 0 || w.pairs_tested < w.contacts;
    printf("%ld contacts, %d bad\n", w.contacts, bad);
    free(w.bodies);
    return bad != 0;
}
