/* Crank-Nicolson for diffusion with a Thomas solve per step, arrays reused in place over all steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_out;
double __enzyme_autodiff(void *, ...);

static void thomas(int n, double lower, double diag, double upper, double *rhs, double *scratch)
{
    scratch[0] = upper / diag;
    rhs[0] /= diag;
    for (int i = 1; i < n; i++) {
        double m = 1.0 / (diag - lower * scratch[i - 1]);
        scratch[i] = upper * m;
        rhs[i] = (rhs[i] - lower * rhs[i - 1]) * m;
    }
    for (int i = n - 2; i >= 0; i--)
        rhs[i] -= scratch[i] * rhs[i + 1];
}

double diffuse(double kappa, double *u, int n, int steps)
{
    double *rhs = (double *)calloc(n, sizeof(double));
    double *scratch = (double *)malloc(n * sizeof(double));
    double r = kappa * 0.1;
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            double left = i > 0 ? u[i - 1] : 0.0, right = i < n - 1 ? u[i + 1] : 0.0;
            rhs[i] = u[i] + r * (left - 2 * u[i] + right);
        }
        thomas(n, -r, 1 + 2 * r, -r, rhs, scratch);
        for (int i = 0; i < n; i++)
            u[i] = rhs[i];
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    free(rhs);
    free(scratch);
    return sum;
}

#define N 12
static double evaluate(double kappa, const double *start)
{
    double u[N];
    for (int i = 0; i < N; i++)
        u[i] = start[i];
    return diffuse(kappa, u, N, 15);
}

int main(void)
{
    double start[N], u[N], du[N] = {0};
    for (int i = 0; i < N; i++)
        u[i] = start[i] = sin(0.7 * i) + 0.2;
    double dk = __enzyme_autodiff((void *)diffuse, enzyme_out, 1.4, enzyme_dup, u, du, enzyme_const, N, enzyme_const, 15);
    double fk = (evaluate(1.4 + 1e-6, start) - evaluate(1.4 - 1e-6, start)) / 2e-6;
    int bad = 0;
    if (!(fabs(dk - fk) < 1e-7 * (1 + fabs(fk)))) {
        printf("kappa: %.10g vs %.10g\n", dk, fk);
        bad++;
    }
    for (int i = 0; i < N; i++) {
        double keep = start[i];
        start[i] = keep + 1e-6;
        double a = evaluate(1.4, start);
        start[i] = keep - 1e-6;
        double b = evaluate(1.4, start);
        start[i] = keep;
        if (!(fabs(du[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("u[%d]: %.10g vs %.10g\n", i, du[i], (a - b) / 2e-6);
            bad++;
        }
    }
    return bad;
}
