// flags: -lm
// A 2-state Kalman filter with matrices as structs.
#include "../check.h"
#include <math.h>

typedef struct { double a, b, c, d; } mat2;
typedef struct { double x, y; } vec2;
static mat2 mul(mat2 m, mat2 n)
{
    return (mat2){m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c, m.c * n.b + m.d * n.d};
}
static mat2 transpose(mat2 m) { return (mat2){m.a, m.c, m.b, m.d}; }
static mat2 add(mat2 m, mat2 n) { return (mat2){m.a + n.a, m.b + n.b, m.c + n.c, m.d + n.d}; }
static vec2 apply(mat2 m, vec2 v) { return (vec2){m.a * v.x + m.b * v.y, m.c * v.x + m.d * v.y}; }

struct filter { vec2 x; mat2 p, f, q; double r; };

static double update(struct filter *k, double z)
{
    k->x = apply(k->f, k->x);
    k->p = add(mul(mul(k->f, k->p), transpose(k->f)), k->q);
    double innovation = z - k->x.x, s = k->p.a + k->r;
    vec2 gain = {k->p.a / s, k->p.c / s};
    k->x.x += gain.x * innovation;
    k->x.y += gain.y * innovation;
    mat2 i_kh = {1 - gain.x, 0, -gain.y, 1};
    k->p = mul(i_kh, k->p);
    return -0.5 * (log(2 * M_PI * s) + innovation * innovation / s);
}

int main(void)
{
    double dt = 0.1, log_likelihood = 0, error = 0;
    struct filter k = {{0, 0}, {10, 0, 0, 10}, {1, dt, 0, 1}, {1e-4, 0, 0, 1e-3}, 0.25};
    unsigned seed = 99;
    for (int t = 1; t <= 200; t++) {
        seed = seed * 1664525u + 1013904223u;
        double truth = 2 + 1.5 * t * dt, noise = (seed >> 8) / 16777216.0 - 0.5;
        log_likelihood += update(&k, truth + noise);
        if (t > 100)
            error = fmax(error, fabs(k.x.x - truth));
    }
    CHECK(error < 0.4);
    CHECK_NEAR(k.x.y, 1.5, 0.2);
    CHECK_NEAR(k.p.b, k.p.c, 1e-12);
    printf("%.8f %.8f %.8f\n", k.x.x, k.x.y, log_likelihood);
    return check_done();
}
