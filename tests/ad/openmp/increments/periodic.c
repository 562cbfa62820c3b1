// Indices that go around at the end, in one and two dimensions, in several ways; arrays in a struct that is read in the region.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

static double ring(const double *u, double *v, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int left = (i + n - 1) % n, right = i + 1 < n ? i + 1 : 0;
        v[i] = u[i] * u[left] + sin(u[right]);
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += v[i] * v[i];
    return s;
}
static double torus(const double *u, double *v, int n)
{
    int m = 5;
    n /= m;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = i == 0 ? n - 1 : i - 1, down = (i + 1) % n, left = j > 0 ? j - 1 : m - 1, right = (j + 1) % m;
            v[i * m + j] = u[up * m + j] * u[down * m + j] - u[i * m + left] * u[i * m + right] * u[i * m + j];
        }
    double s = 0;
    for (int i = 0; i < n * m; i++) s += v[i] * v[i];
    return s;
}

struct grid {
    int n;
    double scale, *u, *v, *w;
};
static double members(struct grid *g)
{
#pragma omp parallel for
    for (int i = 0; i < g->n; i++) {
        double t = 0;
        for (int j = 0; j < g->n; j++)
            if (i != j) t += g->w[j] * g->u[i] * g->scale;
        g->v[i] = t * g->u[(i + 1) % g->n];
    }
    double s = 0;
    for (int i = 0; i < g->n; i++) s += g->v[i] * g->v[i];
    return s;
}
static double flat_members(const double *x, double *v, int n)
{
    double w[64], u[64];
    for (int i = 0; i < n; i++) w[i] = u[i] = x[i];
    struct grid g = {n, x[0], u, v, w};
    return members(&g);
}

int main(void)
{
    double (*all[])(const double *, double *, int) = {ring, torus, flat_members};
    const char *names[] = {"ring", "torus", "members"};
    for (int n = 5; n <= 45; n += 20)
        for (int k = 0; k < 3; k++) {
            double x[64], bar[64] = {0}, v[64] = {0}, v_bar[64] = {0};
            for (int i = 0; i < n; i++) x[i] = 0.5 + 0.3 * sin(i + k);
            if (k == 0) __enzyme_autodiff((void *)ring, enzyme_dup, x, bar, enzyme_dup, v, v_bar, enzyme_const, n);
            if (k == 1) __enzyme_autodiff((void *)torus, enzyme_dup, x, bar, enzyme_dup, v, v_bar, enzyme_const, n);
            if (k == 2) {
                double w[64], u[64], u_bar[64] = {0}, w_bar[64] = {0};
                memcpy(w, x, sizeof w), memcpy(u, x, sizeof u);
                struct grid g = {n, x[0], u, v, w}, g_bar = {0, 0, u_bar, v_bar, w_bar};
                __enzyme_autodiff((void *)members, enzyme_dup, &g, &g_bar);
                for (int i = 0; i < n; i++) bar[i] = u_bar[i] + w_bar[i];
                bar[0] += g_bar.scale;
            }
            for (int i = 0; i < n; i++) {
                double h = 1e-6, y = x[i];
                x[i] = y + h;
                double above = all[k](x, v, n);
                x[i] = y - h;
                double below = all[k](x, v, n);
                x[i] = y;
                check(names[k], i, bar[i], (above - below) / (2 * h));
            }
        }
    return failures != 0;
}
