/* ADI: Thomas solves along rows, then along columns, one line per iteration, scratch in the loop */
#include "../../check.h"
#define M 6
static void thomas(double *u, int stride, double r, int n)
{
    double c[M], d[M];
    c[0] = -r / (1 + 2 * r);
    d[0] = u[0] / (1 + 2 * r);
    for (int i = 1; i < n; i++) {
        double m = 1 / (1 + 2 * r + r * c[i - 1]);
        c[i] = -r * m;
        d[i] = (u[i * stride] + r * d[i - 1]) * m;
    }
    u[(n - 1) * stride] = d[n - 1];
    for (int i = n - 2; i >= 0; i--) u[i * stride] = d[i] - c[i] * u[(i + 1) * stride];
}
static double f(double *x, int n)
{
    double u[M * M], s = 0, r = 0.4 * x[0];
    (void)n;
    memcpy(u, x, sizeof u);
    #pragma omp parallel
    for (int t = 0; t < 3; t++) {
        #pragma omp for
        for (int i = 0; i < M; i++) thomas(u + i * M, 1, r, M);
        #pragma omp for
        for (int j = 0; j < M; j++) thomas(u + j, M, r, M);
    }
    for (int k = 0; k < M * M; k++) s += u[k] * u[k] * (k % 5);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, M * M); }
