// The price of a European call by the Black-Scholes formula: straight code, five inputs.
#include <math.h>

static double normal(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

double black_scholes(double spot, double strike, double rate, double volatility, double time)
{
    double root = volatility * sqrt(time);
    double d1 = (log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / root;
    double d2 = d1 - root;
    return spot * normal(d1) - strike * exp(-rate * time) * normal(d2);
}
