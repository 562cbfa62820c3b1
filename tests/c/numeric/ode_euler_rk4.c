// flags: -lm
// Euler, midpoint, Heun and RK4 with a function pointer right-hand side.
#include "../check.h"
#include <math.h>

typedef void rhs(double t, const double *y, double *dy, void *parameters);
typedef void stepper(rhs *f, double t, double h, double *y, int n, void *parameters);
struct oscillator { double k, damping; };

static void oscillate(double t, const double *y, double *dy, void *p)
{
    const struct oscillator *o = p;
    (void)t;
    dy[0] = y[1];
    dy[1] = -o->k * y[0] - o->damping * y[1];
}
static void euler(rhs *f, double t, double h, double *y, int n, void *p)
{
    double k[n];
    f(t, y, k, p);
    for (int i = 0; i < n; i++)
        y[i] += h * k[i];
}
static void heun(rhs *f, double t, double h, double *y, int n, void *p)
{
    double k1[n], k2[n], z[n];
    f(t, y, k1, p);
    for (int i = 0; i < n; i++)
        z[i] = y[i] + h * k1[i];
    f(t + h, z, k2, p);
    for (int i = 0; i < n; i++)
        y[i] += 0.5 * h * (k1[i] + k2[i]);
}
static void rk4(rhs *f, double t, double h, double *y, int n, void *p)
{
    double k[4][n], z[n];
    static const double a[4] = {0, 0.5, 0.5, 1}, b[4] = {1, 2, 2, 1};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++)
            z[i] = s ? y[i] + a[s] * h * k[s - 1][i] : y[i];
        f(t + a[s] * h, z, k[s], p);
    }
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < n; i++)
            y[i] += h / 6 * b[s] * k[s][i];
}
static double error_of(stepper *s, int steps)
{
    struct oscillator o = {4, 0};
    double y[2] = {1, 0}, h = 1.0 / steps;
    for (int i = 0; i < steps; i++)
        s(oscillate, i * h, h, y, 2, &o);
    return fabs(y[0] - cos(2.0));
}

int main(void)
{
    stepper *methods[] = {euler, heun, rk4};
    const int order[] = {1, 2, 4};
    for (int m = 0; m < 3; m++) {
        double coarse = error_of(methods[m], 50), fine = error_of(methods[m], 100);
        double rate = log(coarse / fine) / log(2);
        printf("%.6g %.3f\n", fine, rate);
        CHECK_NEAR(rate, order[m], 0.3);
    }
    return check_done();
}
