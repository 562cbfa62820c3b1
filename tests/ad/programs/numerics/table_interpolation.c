/* Bilinear table lookup with binary search on both axes, extrapolation by clamping. */
#include <math.h>
#include <stdio.h>

#define NX 5
#define NY 4
typedef struct { double x[NX], y[NY], f[NX][NY]; } table2d;
struct pair { double a, b; };
struct pair __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_out;

static int locate(const double *axis, int n, double v)
{
    int lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) >> 1;
        (v < axis[mid]) ? (hi = mid) : (lo = mid);
    }
    return lo;
}

double lookup(const table2d *t, double x, double y)
{
    x = fmin(fmax(x, t->x[0]), t->x[NX - 1]);
    y = fmin(fmax(y, t->y[0]), t->y[NY - 1]);
    int i = locate(t->x, NX, x), j = locate(t->y, NY, y);
    double u = (x - t->x[i]) / (t->x[i + 1] - t->x[i]), v = (y - t->y[j]) / (t->y[j + 1] - t->y[j]);
    return (1 - u) * ((1 - v) * t->f[i][j] + v * t->f[i][j + 1]) + u * ((1 - v) * t->f[i + 1][j] + v * t->f[i + 1][j + 1]);
}

int main(void)
{
    table2d t = {.x = {0, 0.5, 1.5, 2, 4}, .y = {-1, 0, 2, 3}};
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            t.f[i][j] = sin(t.x[i]) * exp(0.3 * t.y[j]);
    const double points[][2] = {{0.3, -0.5}, {1.7, 1.1}, {3.9, 2.9}, {5, 1}, {1, -4}};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        double x = points[k][0], y = points[k][1], e = 1e-6;
        struct pair g = __enzyme_autodiff((void *)lookup, enzyme_const, &t, enzyme_out, x, enzyme_out, y);
        double fx = (lookup(&t, x + e, y) - lookup(&t, x - e, y)) / (2 * e), fy = (lookup(&t, x, y + e) - lookup(&t, x, y - e)) / (2 * e);
        if (!(fabs(g.a - fx) < 1e-8 && fabs(g.b - fy) < 1e-8)) {
            printf("point %u: (%g %g) vs (%g %g)\n", k, g.a, g.b, fx, fy);
            return 1;
        }
    }
    return 0;
}
