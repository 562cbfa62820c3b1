// size: 100000
// The price of `size` options.
#include "../ad/gradient.h"

static double normal(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
static double price(double spot, double strike, double rate, double volatility, double time)
{
    double spread = volatility * sqrt(time), d1 = (log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / spread;
    return spot * normal(d1) - strike * exp(-rate * time) * normal(d1 - spread);
}
static double portfolio(const double *spot, const double *strike, const double *volatility, const double *time, double rate, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += price(spot[i], strike[i], rate, volatility[i], time[i]);
    return sum;
}

static struct array spot, volatility, rate;
static double *strike, *maturity;
static int n;
static void setup(int size)
{
    n = size;
    spot = variables((size_t)n, 80, 120);
    volatility = variables((size_t)n, 0.1, 0.4);
    rate = variables(1, 0.01, 0.05);
    strike = data((size_t)n, 80, 120);
    maturity = data((size_t)n, 0.5, 2);
}
static double objective(void) { return portfolio(spot.x, strike, volatility.x, maturity, *rate.x, n); }
double __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    *rate.bar += __enzyme_autodiff((void *)portfolio, enzyme_dup, spot.x, spot.bar, enzyme_const, strike, enzyme_dup, volatility.x, volatility.bar,
                                   enzyme_const, maturity, enzyme_out, *rate.x, enzyme_const, n);
}
