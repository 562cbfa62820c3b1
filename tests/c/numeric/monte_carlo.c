// flags: -lm
// Monte-Carlo estimates with a hand-written generator.
#include "../check.h"
#include <math.h>
#include <stdint.h>

typedef struct { uint64_t state; } generator;
static double uniform(generator *g)
{
    g->state = g->state * 6364136223846793005ull + 1442695040888963407ull;
    return (g->state >> 11) * (1.0 / 9007199254740992.0);
}
static double normal(generator *g)
{
    double u = 1 - uniform(g), v = uniform(g);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}
static double integrate(double (*f)(double), double a, double b, int n, generator *g)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += f(a + (b - a) * uniform(g));
    return s * (b - a) / n;
}
static double cube(double x) { return x * x * x; }

int main(void)
{
    generator g = {2024};
    int inside = 0, n = 20000;
    for (int i = 0; i < n; i++) {
        double x = uniform(&g), y = uniform(&g);
        inside += x * x + y * y < 1;
    }
    printf("%d\n", inside);
    CHECK_NEAR(4.0 * inside / n, M_PI, 0.05);
    CHECK_NEAR(integrate(cube, 0, 2, n, &g), 4, 0.15);
    double mean = 0, m2 = 0;
    for (int i = 1; i <= 5000; i++) { // Welford
        double x = normal(&g), d = x - mean;
        mean += d / i;
        m2 += d * (x - mean);
    }
    printf("%.8f %.8f\n", mean, m2 / 4999);
    CHECK_NEAR(mean, 0, 0.06);
    CHECK_NEAR(m2 / 4999, 1, 0.1);
    int walk = 0, reach = 0;
    for (int i = 0; i < 10000; i++) {
        walk += uniform(&g) < 0.5 ? -1 : 1;
        reach = walk > reach ? walk : reach;
    }
    printf("%d %d\n", walk, reach);
    return check_done();
}
