// Weights that belong to distances, in nests of short loops whose tests a compiler might split them at; convolutions that stop at borders.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { N = 18 };
static int failures;
static void check(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && failures++ < 5)
        printf("%s[%d]: %.12g instead of %.12g\n", what, k, got, want);
}

static void apply(const double *c, double (*u)[N][N], double (*v)[N][N])
{
#pragma omp parallel for collapse(2)
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                double s = 0;
                for (int dk = -1; dk <= 1; dk++)
                    for (int dj = -1; dj <= 1; dj++)
                        for (int di = -1; di <= 1; di++)
                            s += c[abs(dk) + abs(dj) + abs(di)] * u[k + dk][j + dj][i + di];
                v[k][j][i] = s / (1 + 0.1 * s * s);
            }
}
static double neighbours(const double *c, const double *start, int steps)
{
    double(*a)[N][N] = malloc(sizeof(double[N][N][N])), (*b)[N][N] = malloc(sizeof(double[N][N][N])), sum = 0;
    memcpy(a, start, sizeof(double[N][N][N]));
    memcpy(b, start, sizeof(double[N][N][N]));
    for (int t = 0; t < steps; t++) {
        apply(c, a, b);
        apply(c, b, a);
    }
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                sum += a[k][j][i] * a[k][j][i];
    free(a);
    free(b);
    return sum;
}

/* The weight of a distance that may be negative, and one that is the larger of two. */
static double signs(const double *c, const double *start, int rows)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 3; i < rows - 3; i++) {
        double s = 0;
        for (int di = -3; di <= 3; di++)
            for (int dj = -3; dj <= 3; dj++) {
                int far = abs(di) > abs(dj) ? abs(di) : abs(dj), side = di < 0 ? di : -di;
                s += c[far] * c[side + 3] * start[(i + di) * 7 + dj + 3];
            }
        total += sin(s);
    }
    return total;
}

/* A filter that stops at the borders of each image. */
static double images(const double *c, const double *start, int count)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int n = 0; n < count; n++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                double s = 0;
                for (int dy = 0; dy < 2; dy++)
                    for (int dx = 0; dx < 2; dx++) {
                        int yy = y + dy - 1, xx = x + dx - 1;
                        if (yy < 0 || yy >= N || xx < 0 || xx >= N)
                            continue;
                        s += start[(n * N + yy) * N + xx] * c[dy * 2 + dx];
                    }
                total += s * s / (1 + s * s);
            }
    return total;
}

typedef double function(const double *, const double *, int);
static void compare(const char *name, function *f, int much, const double *cbar, const double *xbar, double *c, double *x)
{
    for (int k = 0; k < 4; k++) {
        double h = 1e-6, old = c[k];
        c[k] = old + h;
        double up = f(c, x, much);
        c[k] = old - h;
        check(name, k, cbar[k], (up - f(c, x, much)) / (2 * h));
        c[k] = old;
    }
    for (int k = 100; k < 2000; k += 613) {
        double h = 1e-6, old = x[k];
        x[k] = old + h;
        double up = f(c, x, much);
        x[k] = old - h;
        check(name, k, xbar[k], (up - f(c, x, much)) / (2 * h));
        x[k] = old;
    }
}

int main(void)
{
    static double c[8], cbar[8], x[N * N * N], xbar[N * N * N];
    for (int k = 0; k < 8; k++)
        c[k] = 0.05 + 0.01 * k;
    for (int k = 0; k < N * N * N; k++)
        x[k] = 0.3 + 0.2 * sin(k);
    for (int round = 0; round < 2; round++) {
        memset(cbar, 0, sizeof cbar);
        memset(xbar, 0, sizeof xbar);
        __enzyme_autodiff((void *)neighbours, enzyme_dup, c, cbar, enzyme_dup, x, xbar, enzyme_const, 2);
        compare("neighbours", neighbours, 2, cbar, xbar, c, x);
        memset(cbar, 0, sizeof cbar);
        memset(xbar, 0, sizeof xbar);
        __enzyme_autodiff((void *)signs, enzyme_dup, c, cbar, enzyme_dup, x, xbar, enzyme_const, 300);
        compare("signs", signs, 300, cbar, xbar, c, x);
        memset(cbar, 0, sizeof cbar);
        memset(xbar, 0, sizeof xbar);
        __enzyme_autodiff((void *)images, enzyme_dup, c, cbar, enzyme_dup, x, xbar, enzyme_const, 11);
        compare("images", images, 11, cbar, xbar, c, x);
    }
    if (failures == 0)
        puts("ok");
    return failures != 0;
}
