/* Log likelihood of a linear Gaussian state space model, 2 states, matrices as 2x2 arrays. */
#include <math.h>
#include <stdio.h>

typedef struct {
    double q, r, f01, damping;
} kf_params;

double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
extern int enzyme_dup;

static double loglik(const kf_params *kp, const double *obs, int n)
{
    double F[2][2] = {{1.0, kp->f01}, {0.0, kp->damping}};
    double x[2] = {0, 0}, P[2][2] = {{1, 0}, {0, 1}}, ll = 0;
    for (int t = 0; t < n; t++) {
        double xp[2], FP[2][2], Pp[2][2];
        for (int i = 0; i < 2; i++) {
            xp[i] = F[i][0] * x[0] + F[i][1] * x[1];
            for (int j = 0; j < 2; j++)
                FP[i][j] = F[i][0] * P[0][j] + F[i][1] * P[1][j];
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                Pp[i][j] = FP[i][0] * F[j][0] + FP[i][1] * F[j][1] + (i == j ? kp->q : 0);
        double innovation = obs[t] - xp[0], s = Pp[0][0] + kp->r;
        double gain[2] = {Pp[0][0] / s, Pp[1][0] / s};
        for (int i = 0; i < 2; i++) {
            x[i] = xp[i] + gain[i] * innovation;
            for (int j = 0; j < 2; j++)
                P[i][j] = Pp[i][j] - gain[i] * Pp[0][j];
        }
        ll -= 0.5 * (log(2 * M_PI * s) + innovation * innovation / s);
    }
    return ll;
}

int main(void)
{
    double obs[20];
    for (int i = 0; i < 20; i++)
        obs[i] = sin(0.3 * i) + 0.1 * cos(7.0 * i);
    kf_params p = {0.05, 0.2, 0.9, 0.95}, d = {0};
    __enzyme_autodiff((void *)loglik, enzyme_dup, &p, &d, enzyme_const, obs, enzyme_const, 20);
    double *v[4] = {&p.q, &p.r, &p.f01, &p.damping}, g[4] = {d.q, d.r, d.f01, d.damping};
    for (int i = 0; i < 4; i++) {
        double k = *v[i];
        *v[i] = k + 1e-6;
        double hi = loglik(&p, obs, 20);
        *v[i] = k - 1e-6;
        double lo = loglik(&p, obs, 20);
        *v[i] = k;
        double fd = (hi - lo) / 2e-6;
        if (!(fabs(fd - g[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("parameter %d: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
