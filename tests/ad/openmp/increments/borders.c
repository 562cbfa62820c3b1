/* shares that hold the borders of a loop or do not: tests for the first and last iterations, written in several ways */
#include "../../check.h"
#define N 41
static double periodic(double *x, int n)
{
    double a[N], b[N], *u = a, *v = b, s = 0;
    for (int i = 0; i < N; i++) u[i] = x[i % n] * cos(i), v[i] = 0;
    for (int t = 0; t < 4; t++) {
        #pragma omp parallel for
        for (int i = 0; i < N; i++) {
            int l = i > 0 ? i - 1 : N - 1, r = i < N - 1 ? i + 1 : 0;
            v[i] = u[i] - 0.1 * u[i] * (u[r] - u[l]) + x[0] * 0.2 * (u[r] - 2 * u[i] + u[l]);
        }
        double *w = u; u = v; v = w;
    }
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < N; i++) s += u[i] * u[i] * (i == 0 ? 3.0 : i == N - 1 ? x[1] : 1.0);
    return s;
}
static double clamped(double *x, int n)
{
    int m = n * 7 - 2;
    double *u = malloc(m * sizeof *u), *v = malloc(m * sizeof *v), s = 0;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < m; i++) u[i] = x[i % n] + 0.01 * i;
        for (int t = 0; t < 3; t++) {
            #pragma omp for
            for (int i = 0; i < m; i++) {
                double left = i >= 2 ? u[i - 2] : u[0], right = i + 2 < m ? u[i + 2] : u[m - 1];
                if (i == 0) v[i] = u[i] * x[0];
                else if (i != m - 1) v[i] = 0.5 * (left + right) * u[i];
                else v[i] = left - right * x[1];
            }
            #pragma omp for schedule(dynamic, 3)
            for (int i = m - 1; i >= 0; i--) u[i] = i < m / 2 ? v[i] : v[i] * x[2];
        }
        #pragma omp for reduction(+: s)
        for (int i = 0; i < m; i++) s += 0 < i ? u[i] * u[i - 1] : u[0];
    }
    free(u); free(v);
    return s;
}
GRADIENT(periodic)
GRADIENT(clamped)
int main(void) { return CHECK(periodic, 6) | CHECK(clamped, 5); }
