/* SIR epidemic fitted to data by gradient descent in log parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DAYS 30
typedef struct { double S, I, R; } compartments;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static compartments day(compartments c, double beta, double gamma)
{
    for (int i = 0; i < 10; i++) {
        double infect = beta * c.S * c.I * 0.1, recover = gamma * c.I * 0.1;
        c.S -= infect;
        c.I += infect - recover;
        c.R += recover;
    }
    return c;
}

static double misfit(const double *logp, const double *observed)
{
    compartments c = {0.99, 0.01, 0};
    double s = 0;
    for (int d = 0; d < DAYS; d++) {
        c = day(c, exp(logp[0]), exp(logp[1]));
        double e = c.I - observed[d];
        s += e * e;
    }
    return s;
}

int main(void)
{
    double observed[DAYS], p[2] = {log(0.3), log(0.2)};
    compartments c = {0.99, 0.01, 0};
    for (int d = 0; d < DAYS; d++) {
        c = day(c, 0.5, 0.12);
        observed[d] = c.I;
    }
    for (int it = 0; it < 4000; it++) {
        double g[2] = {0, 0};
        __enzyme_autodiff((void *)misfit, enzyme_dup, p, g, enzyme_const, observed);
        if (it % 1000 == 3)
            for (int k = 0; k < 2; k++) {
                double keep = p[k];
                p[k] = keep + 1e-6;
                double a = misfit(p, observed);
                p[k] = keep - 1e-6;
                double b = misfit(p, observed);
                p[k] = keep;
                if (!(fabs(g[k] - (a - b) / 2e-6) < 1e-7)) {
                    printf("iteration %d, parameter %d: %g vs %g\n", it, k, g[k], (a - b) / 2e-6);
                    return 1;
                }
            }
        for (int k = 0; k < 2; k++)
            p[k] -= 0.1 * g[k];
    }
    if (!(fabs(exp(p[0]) - 0.5) < 1e-2 && fabs(exp(p[1]) - 0.12) < 1e-2)) {
        printf("fitted beta %g, gamma %g\n", exp(p[0]), exp(p[1]));
        return 1;
    }
    return 0;
}
