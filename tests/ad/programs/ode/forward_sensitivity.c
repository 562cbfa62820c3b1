/* Forward mode through an ODE solve against the analytic sensitivity of exponential decay. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup;
extern int enzyme_const;
double __enzyme_fwddiff(void *, ...);

double decay(double rate, double initial, int n)
{
    double y = initial, h = 1.0 / n;
    for (int i = 0; i < n; i++) {
        double k1 = -rate * y;
        double k2 = -rate * (y + 0.5 * h * k1);
        double k3 = -rate * (y + 0.5 * h * k2);
        double k4 = -rate * (y + h * k3);
        y += h * (k1 + 2 * k2 + 2 * k3 + k4) / 6;
    }
    return y;
}

int main(void)
{
    double rate = 1.2, y0 = 3.0;
    double drate = __enzyme_fwddiff((void *)decay, enzyme_dup, rate, 1.0, enzyme_const, y0, enzyme_const, 400);
    double dinit = __enzyme_fwddiff((void *)decay, enzyme_const, rate, enzyme_dup, y0, 1.0, enzyme_const, 400);
    double both = __enzyme_fwddiff((void *)decay, rate, 0.5, y0, -2.0, 400);
    if (fabs(drate - -y0 * exp(-rate)) > 1e-8) {
        printf("rate: %.12g\n", drate);
        return 1;
    }
    if (fabs(dinit - exp(-rate)) > 1e-8) {
        printf("initial: %.12g\n", dinit);
        return 1;
    }
    if (fabs(both - (0.5 * drate - 2.0 * dinit)) > 1e-12) {
        printf("combination: %.12g\n", both);
        return 1;
    }
    return 0;
}
