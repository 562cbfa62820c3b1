/* Implied volatility by Newton with bisection safeguards; derivative equals 1 / vega by the implicit function theorem. */
#include <math.h>
#include <stdio.h>

extern double __enzyme_autodiff(void *, ...);
extern int enzyme_out, enzyme_const;

static double bs(double s, double k, double vol, double t)
{
    double sd = vol * sqrt(t), d1 = log(s / k) / sd + 0.5 * sd;
    return s * 0.5 * erfc(-d1 * M_SQRT1_2) - k * 0.5 * erfc(-(d1 - sd) * M_SQRT1_2);
}

static double vega(double s, double k, double vol, double t)
{
    double sd = vol * sqrt(t), d1 = log(s / k) / sd + 0.5 * sd;
    return s * sqrt(t) * exp(-0.5 * d1 * d1) / sqrt(2 * M_PI);
}

double implied(double price, double s, double k, double t)
{
    double lo = 0.01, hi = 2.0, vol = 0.5;
    for (;;) {
        double diff = bs(s, k, vol, t) - price;
        if (diff > 0)
            hi = vol;
        else
            lo = vol;
        double next = vol - diff / vega(s, k, vol, t);
        if (next <= lo || next >= hi)
            next = 0.5 * (lo + hi);
        if (fabs(next - vol) < 1e-14)
            return next;
        vol = next;
    }
}

int main(void)
{
    double s = 100, k = 110, t = 0.5, vol = 0.27, price = bs(s, k, vol, t);
    double d = __enzyme_autodiff((void *)implied, enzyme_out, price, enzyme_const, s, enzyme_const, k, enzyme_const, t);
    double want = 1 / vega(s, k, vol, t);
    if (!(fabs(d - want) < 1e-6 * want)) {
        printf("%.12g, expected %.12g\n", d, want);
        return 1;
    }
    return 0;
}
