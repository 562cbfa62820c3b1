/* Natural cubic spline: tridiagonal solve for second derivatives, evaluated between knots, integrated squared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct spline {
    size_t n;
    double *x, *y, *m;
};

static struct spline *spline_create(const double *x, const double *y, size_t n)
{
    struct spline *s = malloc(sizeof *s);
    s->n = n;
    s->x = malloc(n * sizeof(double));
    s->y = malloc(n * sizeof(double));
    s->m = calloc(n, sizeof(double));
    double *c = calloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++)
        s->x[i] = x[i], s->y[i] = y[i];
    for (size_t i = 1; i + 1 < n; i++) {
        double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
        double rhs = 6 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
        double diag = 2 * (h0 + h1) - h0 * c[i - 1];
        c[i] = h1 / diag;
        s->m[i] = (rhs - h0 * s->m[i - 1]) / diag;
    }
    for (size_t i = n - 1; i-- > 1;)
        s->m[i] -= c[i] * s->m[i + 1];
    free(c);
    return s;
}

static double spline_at(const struct spline *s, double x)
{
    size_t i = 0;
    while (i + 2 < s->n && x > s->x[i + 1])
        ++i;
    double h = s->x[i + 1] - s->x[i], a = (s->x[i + 1] - x) / h, b = (x - s->x[i]) / h;
    return a * s->y[i] + b * s->y[i + 1] + ((a * a * a - a) * s->m[i] + (b * b * b - b) * s->m[i + 1]) * h * h / 6;
}

static void spline_destroy(struct spline *s)
{
    free(s->x);
    free(s->y);
    free(s->m);
    free(s);
}

double roughness(const double *x, const double *y, size_t n)
{
    struct spline *s = spline_create(x, y, n);
    double sum = 0;
    for (int i = 0; i < 20; i++) {
        double v = spline_at(s, x[0] + (x[n - 1] - x[0]) * (i + 0.3) / 20);
        sum += v * v;
    }
    spline_destroy(s);
    return sum;
}

extern double __enzyme_autodiff(void *, ...);

int main(void)
{
    double x[6] = {0, 0.7, 1.5, 2.1, 3.3, 4}, y[6] = {1, 0.3, -0.6, 0.4, 1.7, 0.9}, dx[6] = {0}, dy[6] = {0};
    __enzyme_autodiff((void *)roughness, x, dx, y, dy, (size_t)6);
    for (int i = 0; i < 12; i++) {
        double *v = i < 6 ? x + i : y + i - 6, g = i < 6 ? dx[i] : dy[i - 6], k = *v;
        *v = k + 1e-6;
        double a = roughness(x, y, 6);
        *v = k - 1e-6;
        double b = roughness(x, y, 6);
        *v = k;
        if (!(fabs(g - (a - b) / 2e-6) < 1e-6 * (1 + fabs(g)))) {
            printf("knot %d: %g vs %g\n", i, g, (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
