/* D1Q3 lattice Boltzmann: collision and streaming into a second lattice, static weight tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define L 9
enum { REST, RIGHT, LEFT, Q };
static const double weight[Q] = {2.0 / 3, 1.0 / 6, 1.0 / 6};
static const int velocity[Q] = {0, 1, -1};

extern int enzyme_out;
extern int enzyme_const;
extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

double lbm(double tau, const double *rho0, int steps)
{
    double f[L][Q], g[L][Q];
    for (int i = 0; i < L; i++)
        for (int q = 0; q < Q; q++)
            f[i][q] = weight[q] * rho0[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < L; i++) {
            double rho = 0, mom = 0;
            for (int q = 0; q < Q; q++) {
                rho += f[i][q];
                mom += velocity[q] * f[i][q];
            }
            double u = mom / rho;
            for (int q = 0; q < Q; q++) {
                double cu = velocity[q] * u;
                double eq = weight[q] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * u * u);
                int to = (i + velocity[q] + L) % L;
                g[to][q] = f[i][q] - (f[i][q] - eq) / tau;
            }
        }
        memcpy(f, g, sizeof(f));
    }
    double s = 0;
    for (int i = 0; i < L; i++)
        s += (i + 1) * (f[i][RIGHT] - f[i][LEFT]) + f[i][REST] * f[i][REST];
    return s;
}

int main(void)
{
    double rho[L], drho[L] = {0};
    for (int i = 0; i < L; i++)
        rho[i] = 1.0 + 0.1 * sin(2.0 * i);
    double dtau = __enzyme_autodiff((void *)lbm, enzyme_out, 0.8, enzyme_dup, rho, drho, enzyme_const, 7);
    double fd = (lbm(0.8 + 1e-6, rho, 7) - lbm(0.8 - 1e-6, rho, 7)) / 2e-6;
    if (!(fabs(fd - dtau) < 1e-7)) {
        printf("tau: %.10g vs %.10g\n", dtau, fd);
        return 1;
    }
    for (int i = 0; i < L; i++) {
        double k = rho[i];
        rho[i] = k + 1e-6;
        double p = lbm(0.8, rho, 7);
        rho[i] = k - 1e-6;
        double m = lbm(0.8, rho, 7);
        rho[i] = k;
        if (!(fabs((p - m) / 2e-6 - drho[i]) < 1e-7)) {
            printf("rho[%d]: %.10g vs %.10g\n", i, drho[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
