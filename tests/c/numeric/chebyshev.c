// flags: -lm
// Chebyshev fit, Clenshaw evaluation, derivative of the series.
#include "../check.h"
#include <math.h>

#define N 20
static void fit(double (*f)(double), double c[N])
{
    for (int k = 0; k < N; k++) {
        c[k] = 0;
        for (int j = 0; j < N; j++)
            c[k] += f(cos(M_PI * (j + 0.5) / N)) * cos(M_PI * k * (j + 0.5) / N);
        c[k] *= 2.0 / N;
    }
    c[0] /= 2;
}
static double clenshaw(const double *c, int n, double x)
{
    double b1 = 0, b2 = 0;
    for (int k = n - 1; k > 0; k--) {
        double t = 2 * x * b1 - b2 + c[k];
        b2 = b1;
        b1 = t;
    }
    return x * b1 - b2 + c[0];
}
static void differentiate(const double c[N], double d[N])
{
    d[N - 1] = 0;
    d[N - 2] = 2 * (N - 1) * c[N - 1];
    for (int k = N - 3; k >= 0; k--)
        d[k] = d[k + 2] + 2 * (k + 1) * c[k + 1];
    d[0] /= 2;
}
static double f(double x) { return exp(x) * sin(3 * x); }
static double df(double x) { return exp(x) * (sin(3 * x) + 3 * cos(3 * x)); }

int main(void)
{
    double c[N], d[N];
    fit(f, c);
    differentiate(c, d);
    for (double x = -1; x <= 1; x += 0.125) {
        CHECK_NEAR(clenshaw(c, N, x), f(x), 1e-12);
        CHECK_NEAR(clenshaw(d, N, x), df(x), 1e-9);
    }
    for (int k = 0; k < 6; k++)
        printf("%.9f ", c[k]);
    printf("\n");
    return check_done();
}
