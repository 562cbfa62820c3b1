/* u[i] = k * u[i + 1] in a time loop, and a prefix recurrence: values overwritten that the reverse sweep needs. */
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);

static void shift_sweep(double *u, int n, int steps, const double *k)
{
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 1; i++)
            u[i] = k[t % 3] * u[i + 1] * u[i + 1] + 0.1 * u[i];
}

static void prefix(double *u, int n)
{
    for (int i = 1; i < n; ++i)
        u[i] = sin(u[i - 1]) * u[i];
}

static void model(double *u, const double *k, double *out)
{
    shift_sweep(u, 8, 5, k);
    prefix(u, 8);
    *out = 0;
    for (int i = 0; i < 8; i++)
        *out += u[i];
}

static double value(const double *x, const double *k)
{
    double u[8], r;
    for (int i = 0; i < 8; i++)
        u[i] = x[i];
    model(u, k, &r);
    return r;
}

int main(void)
{
    double x[8], u[8], du[8] = {0}, k[3] = {0.9, 1.1, 0.7}, dk[3] = {0}, out = 0, dout = 1.0;
    for (int i = 0; i < 8; i++)
        x[i] = u[i] = 0.6 + 0.05 * i;
    __enzyme_autodiff((void *)model, u, du, k, dk, &out, &dout);
    int bad = 0;
    if (dout != 0.0) {
        printf("the seed was not consumed: %g\n", dout);
        bad = 1;
    }
    if (fabs(out - value(x, k)) > 1e-14) {
        printf("primal result %g, expected %g\n", out, value(x, k));
        bad = 1;
    }
    for (int i = 0; i < 11; i++) {
        double *v = i < 8 ? x + i : k + i - 8, got = i < 8 ? du[i] : dk[i - 8], keep = *v;
        *v = keep + 1e-6;
        double p = value(x, k);
        *v = keep - 1e-6;
        double m = value(x, k);
        *v = keep;
        if (!(fabs(got - (p - m) / 2e-6) < 1e-7)) {
            printf("variable %d: %.10g vs %.10g\n", i, got, (p - m) / 2e-6);
            bad = 1;
        }
    }
    return bad;
}
