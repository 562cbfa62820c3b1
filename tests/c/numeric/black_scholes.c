// flags: -lm
// Black-Scholes prices, greeks by differences, implied volatility.
#include "../check.h"
#include <math.h>

struct option { double spot, strike, rate, vol, time; int call; };
static double cdf(double x) { return 0.5 * erfc(-x / sqrt(2)); }
static double price(struct option o)
{
    double sd = o.vol * sqrt(o.time);
    double d1 = (log(o.spot / o.strike) + (o.rate + 0.5 * o.vol * o.vol) * o.time) / sd, d2 = d1 - sd;
    double discounted = o.strike * exp(-o.rate * o.time);
    return o.call ? o.spot * cdf(d1) - discounted * cdf(d2) : discounted * cdf(-d2) - o.spot * cdf(-d1);
}
static double delta(struct option o)
{
    struct option up = o, down = o;
    up.spot *= 1.0001;
    down.spot *= 0.9999;
    return (price(up) - price(down)) / (up.spot - down.spot);
}
static double implied(struct option o, double target)
{
    double lo = 0.01, hi = 2;
    while (hi - lo > 1e-10) {
        o.vol = 0.5 * (lo + hi);
        *(price(o) > target ? &hi : &lo) = o.vol;
    }
    return o.vol;
}

int main(void)
{
    struct option o = {100, 105, 0.03, 0.2, 0.75, 1}, put = o;
    put.call = 0;
    double c = price(o), p = price(put);
    CHECK_NEAR(c - p, 100 - 105 * exp(-0.03 * 0.75), 1e-10); // parity
    CHECK_NEAR(delta(o) - delta(put), 1, 1e-7);
    CHECK_NEAR(implied(o, c), 0.2, 1e-8);
    for (double k = 80; k <= 120; k += 20) {
        o.strike = k;
        printf("%.8f %.5f\n", price(o), delta(o));
    }
    return check_done();
}
