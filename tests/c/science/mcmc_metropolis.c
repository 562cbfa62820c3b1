// flags: -lm
// Metropolis and Gibbs chains with a xoshiro generator in a struct, Welford statistics, a log-density through a callback.
#include "../check.h"
#include <math.h>
#include <stdint.h>

typedef struct { uint64_t s[4]; int have; double spare; } rng;
static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static uint64_t next(rng *r)
{
    const uint64_t result = rotl(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;
    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = rotl(r->s[3], 45);
    return result;
}
static rng seeded(uint64_t seed)
{
    rng r = {.have = 0};
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        r.s[i] = z ^ (z >> 31);
    }
    return r;
}
static double uniform(rng *r) { return (double)(next(r) >> 11) * 0x1p-53; }
static double normal(rng *r)
{
    if (r->have) {
        r->have = 0;
        return r->spare;
    }
    double u, v, s;
    do {
        u = 2 * uniform(r) - 1;
        v = 2 * uniform(r) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    double f = sqrt(-2 * log(s) / s);
    r->spare = v * f;
    r->have = 1;
    return u * f;
}
struct running { long n; double mean, m2; };
static void add(struct running *w, double x)
{
    double d = x - w->mean;
    w->mean += d / ++w->n;
    w->m2 += d * (x - w->mean);
}
static double bimodal(double x, const void *p)
{
    const double *c = p;
    double a = -0.5 * (x - c[0]) * (x - c[0]), b = -0.5 * (x - c[1]) * (x - c[1]);
    double top = a > b ? a : b;
    return top + log(exp(a - top) + exp(b - top));
}
static int metropolis(rng *r, double (*density)(double, const void *), const void *data, int steps, struct running *w)
{
    double x = 0, lx = density(x, data);
    int accepted = 0;
    for (int i = 0; i < steps; i++) {
        double y = x + 1.5 * normal(r), ly = density(y, data);
        if (ly >= lx || uniform(r) < exp(ly - lx)) {
            x = y, lx = ly;
            accepted++;
        }
        add(w, x);
    }
    return accepted;
}
int main(void)
{
    rng r = seeded(42);
    CHECK(next(&r) != next(&r));
    double centres[2] = {-1.5, 1.5};
    struct running w = {0};
    int accepted = metropolis(&r, bimodal, centres, 20000, &w);
    CHECK(accepted > 10000 && accepted < 19000);
    CHECK_NEAR(w.mean, 0, 0.2);
    CHECK_NEAR(w.m2 / (w.n - 1), 1 + 1.5 * 1.5, 0.3);
    // Gibbs for a correlated pair of normals.
    struct running a = {0}, b = {0}, product = {0};
    const double rho = 0.6, sd = sqrt(1 - rho * rho);
    double x = 0, y = 0;
    for (int i = 0; i < 20000; i++) {
        x = rho * y + sd * normal(&r);
        y = rho * x + sd * normal(&r);
        add(&a, x), add(&b, y), add(&product, x * y);
    }
    CHECK_NEAR(product.mean - a.mean * b.mean, rho, 0.06);
    printf("%ld samples\n", w.n + a.n);
    return check_done();
}
