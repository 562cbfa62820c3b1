/* Classical Runge-Kutta on a damped, driven oscillator; gradient of the final energy. */
#include <math.h>
#include <stdio.h>

extern int enzyme_const;
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static void rhs(double t, const double y[2], const double p[3], double dy[2])
{
    dy[0] = y[1];
    dy[1] = -p[0] * y[0] - p[1] * y[1] + p[2] * cos(t);
}

static double energy(const double *p, const double *y0, int steps, double h)
{
    double y[2] = {y0[0], y0[1]}, t = 0.0;
    for (int n = 0; n < steps; n++) {
        double k1[2], k2[2], k3[2], k4[2], tmp[2];
        rhs(t, y, p, k1);
        for (int i = 0; i < 2; i++)
            tmp[i] = y[i] + 0.5 * h * k1[i];
        rhs(t + 0.5 * h, tmp, p, k2);
        for (int i = 0; i < 2; i++)
            tmp[i] = y[i] + 0.5 * h * k2[i];
        rhs(t + 0.5 * h, tmp, p, k3);
        for (int i = 0; i < 2; i++)
            tmp[i] = y[i] + h * k3[i];
        rhs(t + h, tmp, p, k4);
        for (int i = 0; i < 2; i++)
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        t += h;
    }
    return 0.5 * y[1] * y[1] + 0.5 * p[0] * y[0] * y[0];
}

int main(void)
{
    double p[3] = {1.3, 0.2, 0.7}, y0[2] = {1.0, -0.5};
    double dp[3] = {0}, dy0[2] = {0};
    int bad = 0;

    __enzyme_autodiff((void *)energy, enzyme_dup, p, dp, enzyme_dup, y0, dy0, enzyme_const, 200, enzyme_const, 0.02);
    for (int i = 0; i < 5; i++) {
        double *v = i < 3 ? &p[i] : &y0[i - 3];
        double got = i < 3 ? dp[i] : dy0[i - 3];
        double old = *v, e = 1e-5;
        *v = old + e;
        double up = energy(p, y0, 200, 0.02);
        *v = old - e;
        double down = energy(p, y0, 200, 0.02);
        *v = old;
        double fd = (up - down) / (2 * e);
        if (!(fabs(fd - got) < 1e-6 * (1 + fabs(fd)))) {
            printf("parameter %d: got %.10g, expected %.10g\n", i, got, fd);
            bad = 1;
        }
    }
    return bad;
}
