/* Header-only style: guarded inline vector library, _Generic, _Static_assert, inline with double indirection. */
#include <math.h>
#include <stdio.h>

#ifndef VEC3_H
#define VEC3_H
typedef struct vec3 { double x, y, z; } vec3;
_Static_assert(sizeof(vec3) == 3 * sizeof(double), "no padding");
static inline vec3 vec3_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 vec3_mul(vec3 a, double s) { return (vec3){a.x * s, a.y * s, a.z * s}; }
static inline vec3 vec3_cross(vec3 a, vec3 b) { return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double scalar_square(double a) { return a * a; }
static inline double vec3_square(vec3 a) { return vec3_dot(a, a); }
#define square(v) _Generic((v), vec3: vec3_square, double: scalar_square)(v)
#endif

extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

double magnetic(const vec3 *r, const vec3 *m)
{
    double r2 = square(*r), inv = 1 / sqrt(r2);
    vec3 unit = vec3_mul(*r, inv);
    vec3 b = vec3_mul(vec3_add(vec3_mul(unit, 3 * vec3_dot(*m, unit)), vec3_mul(*m, -1)), inv * inv * inv);
    return square(b) + square(inv) + vec3_cross(b, *r).z;
}

int main(void)
{
    vec3 r = {0.5, -1.1, 0.8}, m = {1, 0.2, -0.4}, dr = {0}, dm = {0};
    __enzyme_autodiff((void *)magnetic, enzyme_dup, &r, &dr, enzyme_dup, &m, &dm);
    double *v[2] = {&r.x, &m.x}, *g[2] = {&dr.x, &dm.x};
    for (int i = 0; i < 6; i++) {
        double *p = v[i / 3] + i % 3, k = *p;
        *p = k + 1e-6;
        double a = magnetic(&r, &m);
        *p = k - 1e-6;
        double b = magnetic(&r, &m);
        *p = k;
        if (!(fabs(g[i / 3][i % 3] - (a - b) / 2e-6) < 1e-7)) {
            printf("component %d: %g vs %g\n", i, g[i / 3][i % 3], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
