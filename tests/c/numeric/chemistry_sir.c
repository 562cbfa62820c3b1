// Brusselator kinetics and an SIR epidemic with shared integrators.
#include "../check.h"

typedef struct { double beta, gamma, mu; } sir_rates;
static void sir(const double *y, double *d, const void *context)
{
    const sir_rates *r = context;
    double infection = r->beta * y[0] * y[1];
    d[0] = -infection + r->mu * (1 - y[0]);
    d[1] = infection - (r->gamma + r->mu) * y[1];
    d[2] = r->gamma * y[1] - r->mu * y[2];
}
static void brusselator(const double *y, double *d, const void *context)
{
    const double *ab = context;
    double p = y[0] * y[0] * y[1];
    d[0] = ab[0] + p - (ab[1] + 1) * y[0];
    d[1] = ab[1] * y[0] - p;
}
static void integrate(void (*f)(const double *, double *, const void *), const void *c, double *y, int n, double h, int steps)
{
    double k1[3], k2[3], k3[3], k4[3], t[3];
    while (steps-- > 0) {
        f(y, k1, c);
        for (int i = 0; i < n; i++) t[i] = y[i] + h / 2 * k1[i];
        f(t, k2, c);
        for (int i = 0; i < n; i++) t[i] = y[i] + h / 2 * k2[i];
        f(t, k3, c);
        for (int i = 0; i < n; i++) t[i] = y[i] + h * k3[i];
        f(t, k4, c);
        for (int i = 0; i < n; i++) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
}

int main(void)
{
    sir_rates rates = {0.5, 0.1, 0};
    double y[3] = {0.999, 0.001, 0}, peak = 0;
    int when = 0;
    for (int day = 0; day < 120; day++) {
        integrate(sir, &rates, y, 3, 0.1, 10);
        if (y[1] > peak) {
            peak = y[1];
            when = day;
        }
    }
    CHECK_NEAR(y[0] + y[1] + y[2], 1, 1e-12);
    CHECK(peak > 0.4 && peak < 0.5 && y[0] < 0.01);
    printf("%d %.10f %.10f\n", when, peak, y[0]);
    double ab[2] = {1, 1.7}, z[2] = {1.5, 1.0};
    integrate(brusselator, ab, z, 2, 0.02, 5000);
    CHECK_NEAR(z[0], 1, 1e-3); // stable focus at (a, b/a)
    CHECK_NEAR(z[1], 1.7, 1e-3);
    printf("%.6f\n", z[0]);
    return check_done();
}
