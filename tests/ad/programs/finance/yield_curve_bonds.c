/* Bonds priced off a curve with log-linear interpolation by binary search; gradient is the bucketed duration. */
#include <math.h>
#include <stdio.h>

typedef struct {
    int n;
    const double *times;
    double *zeros;
} curve;

void __enzyme_autodiff(void *, ...);

static double zero_rate(const curve *c, double t)
{
    int lo = 0, hi = c->n - 1;
    if (t <= c->times[0])
        return c->zeros[0];
    if (t >= c->times[hi])
        return c->zeros[hi];
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (c->times[mid] <= t)
            lo = mid;
        else
            hi = mid;
    }
    double w = (t - c->times[lo]) / (c->times[hi] - c->times[lo]);
    return (1 - w) * c->zeros[lo] + w * c->zeros[hi];
}

static double bond(const curve *c, double coupon, double maturity)
{
    double pv = 0;
    for (double t = maturity; t > 0; t -= 0.5)
        pv += coupon / 2 * exp(-zero_rate(c, t) * t);
    return pv + exp(-zero_rate(c, maturity) * maturity);
}

double portfolio(double *zeros, const double *times, int n)
{
    curve c = {.n = n, .times = times, .zeros = zeros};
    return bond(&c, 0.05, 3.25) + 2 * bond(&c, 0.03, 7.5) - bond(&c, 0.0, 12);
}

int enzyme_const;

int main(void)
{
    const double times[] = {0.5, 1, 2, 5, 10};
    double z[] = {0.02, 0.022, 0.025, 0.03, 0.033}, d[5] = {0};
    __enzyme_autodiff((void *)portfolio, z, d, enzyme_const, times, 5);
    for (int i = 0; i < 5; i++) {
        double k = z[i];
        z[i] = k + 1e-6;
        double a = portfolio(z, times, 5);
        z[i] = k - 1e-6;
        double b = portfolio(z, times, 5);
        z[i] = k;
        if (!(fabs(d[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("bucket %d: %g vs %g\n", i, d[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
