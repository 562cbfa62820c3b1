// size: 500
// An Asian option by Monte Carlo: `size` paths of 100 steps with a local volatility, interpolated between 8 levels, given normal numbers.
#include "gradient.h"

enum { STEPS = 100, LEVELS = 8 };

struct market {
    double spot, rate, strike, maturity;
    double volatility[LEVELS];
};

static double price(const struct market *market, const double *normals, int paths)
{
    double dt = market->maturity / STEPS, sum = 0.0;
    for (int p = 0; p < paths; p++) {
        double s = market->spot, mean = 0.0;
        for (int t = 0; t < STEPS; t++) {
            double at = fmin(s / market->spot * (LEVELS / 2), LEVELS - 1.001), part = at - (int)at;
            const double *level = &market->volatility[(int)at];
            double sigma = (1 - part) * level[0] + part * level[1];
            s *= exp((market->rate - 0.5 * sigma * sigma) * dt + sigma * sqrt(dt) * normals[p * STEPS + t]);
            mean += s;
        }
        mean /= STEPS;
        sum += mean > market->strike ? mean - market->strike : 0.0;
    }
    return exp(-market->rate * market->maturity) * sum / paths;
}

enum { NUMBERS = sizeof(struct market) / sizeof(double) };
static struct array market;
static double *normals;
static int paths;
static void setup(int size)
{
    paths = size;
    market = variables(NUMBERS, 0.2, 0.4);
    market.x[0] = 1.02;
    market.x[2] = 0.98;
    market.x[3] = 1.5;
    normals = data((size_t)paths * STEPS, -1, 1);
}
static double objective(void) { return price((struct market *)market.x, normals, paths); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)price, enzyme_dup, market.x, market.bar, enzyme_const, normals, enzyme_const, paths);
}
