/* Asian option by Monte Carlo with an inline random generator (xorshift, Box-Muller): state in integers, active paths. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { uint64_t state; int have; double spare; } rng_t;
extern int enzyme_out;
extern int enzyme_const;
extern double __enzyme_autodiff(void *, ...);

static uint64_t next(rng_t *g)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return g->state;
}

static double uniform(rng_t *g) { return ((next(g) >> 11) + 0.5) * (1.0 / 9007199254740992.0); }

static double normal(rng_t *g)
{
    if (g->have) {
        g->have = 0;
        return g->spare;
    }
    double r = sqrt(-2 * log(uniform(g))), a = 6.283185307179586 * uniform(g);
    g->spare = r * sin(a);
    g->have = 1;
    return r * cos(a);
}

double price(double vol, double spot, int paths, int steps)
{
    rng_t g = {.state = 88172645463325252ull};
    double sum = 0, dt = 1.0 / steps;
    for (int p = 0; p < paths; p++) {
        double s = spot, mean = 0;
        for (int t = 0; t < steps; t++) {
            s *= exp(-0.5 * vol * vol * dt + vol * sqrt(dt) * normal(&g));
            mean += s;
        }
        mean /= steps;
        if (mean > 100.0)
            sum += mean - 100.0;
    }
    return sum / paths;
}

int main(void)
{
    double vega = __enzyme_autodiff((void *)price, enzyme_out, 0.25, enzyme_const, 101.0, enzyme_const, 200, enzyme_const, 12);
    double delta = __enzyme_autodiff((void *)price, enzyme_const, 0.25, enzyme_out, 101.0, enzyme_const, 200, enzyme_const, 12);
    double e = 1e-7;
    double fv = (price(0.25 + e, 101, 200, 12) - price(0.25 - e, 101, 200, 12)) / (2 * e);
    double fd = (price(0.25, 101 + e, 200, 12) - price(0.25, 101 - e, 200, 12)) / (2 * e);
    if (!(fabs(vega - fv) < 1e-4 * (1 + fabs(fv)) && fabs(delta - fd) < 1e-4)) {
        printf("vega %g vs %g, delta %g vs %g\n", vega, fv, delta, fd);
        return 1;
    }
    return 0;
}
