/* Greeks by reverse mode against the closed forms. */
#include <math.h>
#include <stdio.h>

typedef struct { double S, sigma, r, T; } greeks;
extern greeks __enzyme_autodiff(void *, ...);
int enzyme_out, enzyme_const;

static double cdf(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }
static double pdf(double x) { return exp(-0.5 * x * x) / sqrt(2 * M_PI); }

double call(double S, double K, double sigma, double r, double T)
{
    double d1 = (log(S / K) + (r + 0.5 * sigma * sigma) * T) / (sigma * sqrt(T));
    double d2 = d1 - sigma * sqrt(T);
    return S * cdf(d1) - K * exp(-r * T) * cdf(d2);
}

#define CHECK(what, got, want) \
    do { \
        if (!(fabs((got) - (want)) < 1e-10 * (1 + fabs(want)))) { \
            printf("%s: %.14g, expected %.14g\n", what, got, want); \
            failures++; \
        } \
    } while (0)

int main(void)
{
    double S = 105, K = 100, s = 0.23, r = 0.04, T = 0.75;
    greeks g = __enzyme_autodiff((void *)call, enzyme_out, S, enzyme_const, K, enzyme_out, s, enzyme_out, r, enzyme_out, T);
    double d1 = (log(S / K) + (r + 0.5 * s * s) * T) / (s * sqrt(T)), d2 = d1 - s * sqrt(T);
    int failures = 0;
    CHECK("delta", g.S, cdf(d1));
    CHECK("vega", g.sigma, S * pdf(d1) * sqrt(T));
    CHECK("rho", g.r, K * T * exp(-r * T) * cdf(d2));
    CHECK("theta", g.T, S * pdf(d1) * s / (2 * sqrt(T)) + r * K * exp(-r * T) * cdf(d2));
    return failures;
}
