// flags: -lm
// Ray casting of spheres and a plane to characters, recursion for mirrors.
#include "../check.h"
#include <math.h>

typedef struct { float x, y, z; } v3;
typedef struct { v3 center; float radius, mirror; } sphere;
static v3 add(v3 a, v3 b) { return (v3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static v3 scale(v3 a, float s) { return (v3){a.x * s, a.y * s, a.z * s}; }
static float dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static v3 unit(v3 a) { return scale(a, 1 / sqrtf(dot(a, a))); }
static const sphere world[] = {{{0, 0, 5}, 1.5f, 0.3f}, {{-2, 0.5f, 6}, 1, 0}, {{1.8f, -0.6f, 4}, 0.6f, 0.6f}};

static float hit(const sphere *s, v3 from, v3 way)
{
    v3 oc = add(from, scale(s->center, -1));
    float b = dot(oc, way), c = dot(oc, oc) - s->radius * s->radius, d = b * b - c;
    if (d < 0)
        return -1;
    float t = -b - sqrtf(d);
    return t > 1e-3f ? t : -1;
}
static float trace(v3 from, v3 way, int depth)
{
    float best = 1e9f;
    const sphere *which = 0;
    for (const sphere *s = world; s < world + 3; s++) {
        float t = hit(s, from, way);
        if (t > 0 && t < best) {
            best = t;
            which = s;
        }
    }
    if (!which)
        return way.y < 0 ? 0.25f : 0.05f;
    v3 p = add(from, scale(way, best)), n = unit(add(p, scale(which->center, -1)));
    v3 light = unit((v3){-1, 1, -1});
    float shade = fmaxf(0, dot(n, light)) * 0.8f + 0.1f;
    if (depth < 3 && which->mirror > 0) {
        v3 r = add(way, scale(n, -2 * dot(way, n)));
        shade = (1 - which->mirror) * shade + which->mirror * trace(p, r, depth + 1);
    }
    return shade;
}

int main(void)
{
    const char *ramp = " .:-=+*#%@";
    int total = 0;
    for (int y = 9; y >= -9; y -= 2) {
        for (int x = -20; x <= 20; x++) {
            float s = trace((v3){0, 0, 0}, unit((v3){(float)x / 16, (float)y / 9, 1.7f}), 0);
            int level = (int)(s * 9.99f);
            CHECK(level >= 0 && level < 10);
            total += level;
            putchar(ramp[level]);
        }
        putchar('\n');
    }
    printf("%d\n", total);
    return check_done();
}
