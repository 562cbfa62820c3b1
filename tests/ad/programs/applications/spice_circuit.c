/* A circuit simulator: a netlist of devices (resistor, diode, capacitor, source), modified nodal analysis with Newton per time step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { RESISTOR, CAPACITOR, DIODE, SOURCE };
typedef struct { enum kind kind; int plus, minus; double value; } device;
#define NODES 3

void __enzyme_autodiff(void *, ...);
int enzyme_dup;
int enzyme_const;

static void stamp(double g[NODES][NODES + 1], int p, int m, double conductance, double current)
{
    if (p >= 0) {
        g[p][p] += conductance;
        g[p][NODES] -= current;
        if (m >= 0)
            g[p][m] -= conductance;
    }
    if (m >= 0) {
        g[m][m] += conductance;
        g[m][NODES] += current;
        if (p >= 0)
            g[m][p] -= conductance;
    }
}

static double volt(const double *v, int n) { return n < 0 ? 0 : v[n]; }

static double simulate(const device *net, int count, int steps, double dt)
{
    double v[NODES] = {0}, old[NODES], energy = 0;
    for (int t = 1; t <= steps; t++) {
        memcpy(old, v, sizeof v);
        for (int newton = 0; newton < 30; newton++) {
            double g[NODES][NODES + 1], change = 0;
            memset(g, 0, sizeof g);
            for (const device *d = net; d < net + count; d++) {
                double u = volt(v, d->plus) - volt(v, d->minus), u0 = volt(old, d->plus) - volt(old, d->minus);
                switch (d->kind) {
                case RESISTOR:
                    stamp(g, d->plus, d->minus, 1 / d->value, 0);
                    break;
                case CAPACITOR:
                    stamp(g, d->plus, d->minus, d->value / dt, -d->value / dt * u0);
                    break;
                case DIODE: {
                    double lim = u < 0.8 ? u : 0.8, e = exp(lim / 0.1), cond = d->value * e / 0.1;
                    stamp(g, d->plus, d->minus, cond, d->value * (e - 1) - cond * lim);
                    break;
                }
                case SOURCE: /* a Norton source with unit conductance */
                    stamp(g, d->plus, d->minus, 1, -d->value * sin(3 * t * dt));
                    break;
                }
            }
            for (int k = 0; k < NODES; k++)
                for (int i = k + 1; i < NODES; i++) {
                    double f = g[i][k] / g[k][k];
                    for (int j = k; j <= NODES; j++)
                        g[i][j] -= f * g[k][j];
                }
            for (int i = NODES - 1; i >= 0; i--) {
                double x = g[i][NODES];
                for (int j = i + 1; j < NODES; j++)
                    x -= g[i][j] * v[j];
                x /= g[i][i];
                change += fabs(x - v[i]);
                v[i] = x;
            }
            if (change < 1e-13)
                break;
        }
        energy += v[NODES - 1] * v[NODES - 1] * dt;
    }
    return energy;
}

int main(void)
{
    device net[] = {{SOURCE, 0, -1, 2.0}, {RESISTOR, 0, 1, 1.5}, {DIODE, 1, 2, 1e-4}, {CAPACITOR, 2, -1, 0.3}, {RESISTOR, 2, -1, 4}, {CAPACITOR, 1, -1, 0.05}};
    enum { COUNT = sizeof net / sizeof net[0] };
    device shadow[COUNT];
    memset(shadow, 0, sizeof shadow);
    __enzyme_autodiff((void *)simulate, enzyme_dup, net, shadow, enzyme_const, COUNT, enzyme_const, 30, enzyme_const, 0.05);
    for (int i = 0; i < COUNT; i++) {
        double k = net[i].value, h = 1e-5 * k;
        net[i].value = k + h;
        double a = simulate(net, COUNT, 30, 0.05);
        net[i].value = k - h;
        double b = simulate(net, COUNT, 30, 0.05);
        net[i].value = k;
        double fd = (a - b) / (2 * h);
        if (!(fabs(shadow[i].value - fd) < 1e-5 * (1 + fabs(fd)))) {
            printf("device %d: %g vs %g\n", i, shadow[i].value, fd);
            return 1;
        }
    }
    return 0;
}
