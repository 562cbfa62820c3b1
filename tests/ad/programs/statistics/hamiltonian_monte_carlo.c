/* HMC with leapfrog steps: the gradient of a log density is called inside an integrator; energy must be nearly conserved. */
#include <math.h>
#include <stdio.h>

#define D 3
void __enzyme_autodiff(void *, ...);

/* A banana-shaped density. */
static double log_density(const double *q)
{
    double r = -0.5 * q[0] * q[0];
    for (int i = 1; i < D; i++) {
        double u = q[i] - q[i - 1] * q[i - 1];
        r -= 2.0 * u * u;
    }
    return r;
}

static void gradient(const double *q, double *g)
{
    for (int i = 0; i < D; i++)
        g[i] = 0.0;
    __enzyme_autodiff((void *)log_density, q, g);
}

static double hamiltonian(const double *q, const double *p)
{
    double h = -log_density(q);
    for (int i = 0; i < D; i++)
        h += 0.5 * p[i] * p[i];
    return h;
}

int main(void)
{
    double q[D] = {0.5, 0.2, -0.1}, p[D] = {0.3, -0.6, 0.9}, g[D];
    double h0 = hamiltonian(q, p), eps = 0.005;
    for (int step = 0; step < 2000; step++) {
        gradient(q, g);
        for (int i = 0; i < D; i++)
            p[i] += 0.5 * eps * g[i];
        for (int i = 0; i < D; i++)
            q[i] += eps * p[i];
        gradient(q, g);
        for (int i = 0; i < D; i++)
            p[i] += 0.5 * eps * g[i];
    }
    double h1 = hamiltonian(q, p);
    if (!(fabs(h1 - h0) < 2e-3 * (1 + fabs(h0)))) {
        printf("energy %.10g became %.10g\n", h0, h1);
        return 1;
    }
    gradient(q, g);
    double u1 = q[1] - q[0] * q[0], u2 = q[2] - q[1] * q[1];
    double want[D] = {-q[0] + 8 * u1 * q[0], -4 * u1 + 8 * u2 * q[1], -4 * u2};
    for (int i = 0; i < D; i++)
        if (!(fabs(g[i] - want[i]) < 1e-12 * (1 + fabs(want[i])))) {
            printf("g[%d] = %g, expected %g\n", i, g[i], want[i]);
            return 1;
        }
    return 0;
}
