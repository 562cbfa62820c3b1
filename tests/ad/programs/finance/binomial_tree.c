/* American put on a binomial tree: rolled back in place, max of continuation and exercise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double spot, vol; } duo;
duo __enzyme_autodiff(void *, double, double, double, double, double, int);

static double max(double a, double b) { return a > b ? a : b; }

double put(double spot, double vol, double rate, double strike, double expiry, int n)
{
    double dt = expiry / n, u = exp(vol * sqrt(dt)), d = 1 / u, p = (exp(rate * dt) - d) / (u - d);
    double *v = malloc((n + 1) * sizeof *v);
    for (int i = 0; i <= n; i++)
        v[i] = max(strike - spot * pow(u, n - 2.0 * i), 0.0);
    for (int step = n - 1; step >= 0; step--)
        for (int i = 0; i <= step; i++) {
            double hold = exp(-rate * dt) * (p * v[i] + (1 - p) * v[i + 1]);
            v[i] = max(hold, strike - spot * pow(u, step - 2.0 * i));
        }
    double r = v[0];
    free(v);
    return r;
}

int enzyme_const, enzyme_out;
duo __enzyme_autodiff_marked(void *, ...);

int main(void)
{
    duo g = __enzyme_autodiff_marked((void *)put, enzyme_out, 97.0, enzyme_out, 0.3, enzyme_const, 0.05, enzyme_const, 100.0,
                                     enzyme_const, 1.0, enzyme_const, 40);
    double e = 1e-5;
    double fs = (put(97 + e, 0.3, 0.05, 100, 1, 40) - put(97 - e, 0.3, 0.05, 100, 1, 40)) / (2 * e);
    e = 1e-7;
    double fv = (put(97, 0.3 + e, 0.05, 100, 1, 40) - put(97, 0.3 - e, 0.05, 100, 1, 40)) / (2 * e);
    if (!(fabs(g.spot - fs) < 1e-5 && fabs(g.vol - fv) < 1e-3)) {
        printf("delta %g vs %g, vega %g vs %g\n", g.spot, fs, g.vol, fv);
        return 1;
    }
    return 0;
}
