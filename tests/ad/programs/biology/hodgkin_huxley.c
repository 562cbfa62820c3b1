/* Hodgkin-Huxley membrane with rate functions that have removable singularities, guarded by branches. */
#include <math.h>
#include <stdio.h>

struct neuron { double gna, gk, gl, ena, ek, el; };
void __enzyme_autodiff(void *, ...);

static double ratio(double x, double y)
{
    /* x / (1 - exp(-x / y)), y at x = 0 */
    return fabs(x / y) < 1e-6 ? y * (1 + x / y / 2) : x / (1 - exp(-x / y));
}

static double alpha_n(double v) { return 0.01 * ratio(v + 55, 10); }
static double beta_n(double v) { return 0.125 * exp(-(v + 65) / 80); }
static double alpha_m(double v) { return 0.1 * ratio(v + 40, 10); }
static double beta_m(double v) { return 4 * exp(-(v + 65) / 18); }
static double alpha_h(double v) { return 0.07 * exp(-(v + 65) / 20); }
static double beta_h(double v) { return 1 / (1 + exp(-(v + 35) / 10)); }

double voltage(const struct neuron *p, double current, int steps)
{
    double v = -65, n = 0.32, m = 0.05, h = 0.6;
    const double dt = 0.01;
    for (int i = 0; i < steps; i++) {
        double ina = p->gna * m * m * m * h * (v - p->ena), ik = p->gk * pow(n, 4) * (v - p->ek), il = p->gl * (v - p->el);
        n += dt * (alpha_n(v) * (1 - n) - beta_n(v) * n);
        m += dt * (alpha_m(v) * (1 - m) - beta_m(v) * m);
        h += dt * (alpha_h(v) * (1 - h) - beta_h(v) * h);
        v += dt * (current - ina - ik - il);
    }
    return v;
}

int main(void)
{
    struct neuron p = {120, 36, 0.3, 50, -77, -54.4}, d = {0};
    __enzyme_autodiff((void *)voltage, &p, &d, 10.0, 300);
    double *v = &p.gna, *g = &d.gna;
    for (int i = 0; i < 6; i++) {
        double k = v[i], e = 1e-5;
        v[i] = k + e;
        double a = voltage(&p, 10, 300);
        v[i] = k - e;
        double b = voltage(&p, 10, 300);
        v[i] = k;
        double fd = (a - b) / (2 * e);
        if (!(fabs(fd - g[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("parameter %d: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
