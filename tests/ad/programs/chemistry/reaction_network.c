/* Mass-action kinetics from a stoichiometry table, rates k T^n exp(-E/RT), Euler steps. */
#include <math.h>
#include <stdio.h>

#define SPECIES 4
#define REACTIONS 3
typedef struct { double A, n, E; } arrhenius;
int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);

static const signed char nu[REACTIONS][SPECIES] = {{-1, -1, 1, 0}, {1, 1, -1, 0}, {0, -1, -1, 2}};
static const unsigned char order[REACTIONS][SPECIES] = {{1, 1, 0, 0}, {0, 0, 1, 0}, {0, 1, 1, 0}};

double yield(const arrhenius *rate, double temperature, int steps)
{
    double c[SPECIES] = {1.0, 0.8, 0.1, 0.0};
    for (int s = 0; s < steps; s++) {
        double q[REACTIONS];
        for (int r = 0; r < REACTIONS; r++) {
            q[r] = rate[r].A * pow(temperature / 300, rate[r].n) * exp(-rate[r].E / (8.314 * temperature));
            for (int k = 0; k < SPECIES; k++)
                for (int o = 0; o < order[r][k]; o++)
                    q[r] *= c[k];
        }
        for (int k = 0; k < SPECIES; k++)
            for (int r = 0; r < REACTIONS; r++)
                c[k] += 0.01 * nu[r][k] * q[r];
    }
    return c[3];
}

int main(void)
{
    arrhenius rate[REACTIONS] = {{5, 0.5, 2000}, {1, -0.2, 3000}, {3, 1.1, 1500}}, d[REACTIONS] = {{0, 0, 0}};
    double dT = __enzyme_autodiff((void *)yield, enzyme_dup, rate, d, enzyme_out, 350.0, enzyme_const, 80);
    double fT = (yield(rate, 350 + 1e-3, 80) - yield(rate, 350 - 1e-3, 80)) / 2e-3;
    if (!(fabs(dT - fT) < 1e-8)) {
        printf("temperature: %g vs %g\n", dT, fT);
        return 1;
    }
    double *v = &rate[0].A, *g = &d[0].A;
    for (int i = 0; i < 9; i++) {
        double k = v[i], e = 1e-5 * (1 + fabs(k));
        v[i] = k + e;
        double a = yield(rate, 350, 80);
        v[i] = k - e;
        double b = yield(rate, 350, 80);
        v[i] = k;
        if (!(fabs(g[i] - (a - b) / (2 * e)) < 1e-8)) {
            printf("rate %d: %g vs %g\n", i, g[i], (a - b) / (2 * e));
            return 1;
        }
    }
    return 0;
}
