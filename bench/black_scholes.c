// European option prices by the Black-Scholes formula, over arrays of options.
#include "kernel.h"

enum { N = 60000 };

struct option {
    double spot, strike, rate, volatility, time;
    int is_call;
};

static struct option options[N];
static double prices[N];

static double normal(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

static double price(const struct option *o)
{
    double root = o->volatility * sqrt(o->time);
    double d1 = (log(o->spot / o->strike) + (o->rate + 0.5 * o->volatility * o->volatility) * o->time) / root;
    double d2 = d1 - root;
    double discounted = o->strike * exp(-o->rate * o->time);
    if (o->is_call)
        return o->spot * normal(d1) - discounted * normal(d2);
    return discounted * normal(-d2) - o->spot * normal(-d1);
}

static void kernel(const struct option *o, double *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = price(&o[i]);
}

int main(void)
{
    double seconds, sum = 0.0;
    for (int i = 0; i < N; i++) {
        options[i].spot = 80.0 + 40.0 * kernel_random();
        options[i].strike = 80.0 + 40.0 * kernel_random();
        options[i].rate = 0.05 * kernel_random();
        options[i].volatility = 0.1 + 0.4 * kernel_random();
        options[i].time = 0.1 + 2.0 * kernel_random();
        options[i].is_call = kernel_random() < 0.5;
    }
    KERNEL_TIME(seconds, 20, kernel(options, prices, N));
    for (int i = 0; i < N; i++)
        sum += prices[i];
    kernel_report(sum, seconds);
    return 0;
}
