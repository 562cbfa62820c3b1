// flags: -lm
// Recursive multigrid V-cycles for the 1-D Poisson problem.
#include "../check.h"
#include <math.h>

static void smooth(double *u, const double *f, int n, double h, int sweeps)
{
    while (sweeps-- > 0)
        for (int i = 1; i < n; i++)
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i]);
}
static void cycle(double *u, const double *f, int n, double h)
{
    if (n == 2) {
        u[1] = 0.5 * h * h * f[1];
        return;
    }
    smooth(u, f, n, h, 2);
    int m = n / 2;
    double r[n + 1], coarse_f[m + 1], coarse_u[m + 1];
    r[0] = r[n] = 0;
    for (int i = 1; i < n; i++)
        r[i] = f[i] + (u[i - 1] - 2 * u[i] + u[i + 1]) / (h * h);
    for (int i = 0; i <= m; i++)
        coarse_u[i] = coarse_f[i] = 0;
    for (int i = 1; i < m; i++)
        coarse_f[i] = 0.25 * (r[2 * i - 1] + 2 * r[2 * i] + r[2 * i + 1]);
    cycle(coarse_u, coarse_f, m, 2 * h);
    for (int i = 0; i < m; i++) {
        u[2 * i] += coarse_u[i];
        u[2 * i + 1] += 0.5 * (coarse_u[i] + coarse_u[i + 1]);
    }
    smooth(u, f, n, h, 2);
}

int main(void)
{
    enum { N = 128 };
    static double u[N + 1], f[N + 1];
    double h = 1.0 / N;
    for (int i = 0; i <= N; i++)
        f[i] = M_PI * M_PI * sin(M_PI * i * h);
    for (int k = 0; k < 12; k++)
        cycle(u, f, N, h);
    double worst = 0, residual = 0;
    for (int i = 1; i < N; i++) {
        worst = fmax(worst, fabs(u[i] - sin(M_PI * i * h)));
        residual = fmax(residual, fabs(f[i] + (u[i - 1] - 2 * u[i] + u[i + 1]) / (h * h)));
    }
    CHECK(worst < 1e-4);
    CHECK(residual < 1e-6);
    printf("%.8f\n", u[32]);
    return check_done();
}
