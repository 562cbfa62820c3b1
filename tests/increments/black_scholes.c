// grad: portfolio
// no: atomic
// how: spot[i]: plain: each thread reads its own part
// how: volatility[i]: plain: each thread reads its own part
#include <math.h>

static double normal(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
static double price(double spot, double strike, double rate, double volatility, double time)
{
    double spread = volatility * sqrt(time), d1 = (log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / spread;
    return spot * normal(d1) - strike * exp(-rate * time) * normal(d1 - spread);
}
double portfolio(const double *spot, const double *strike, const double *volatility, const double *time, double rate, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += price(spot[i], strike[i], rate, volatility[i], time[i]);
    return sum;
}
