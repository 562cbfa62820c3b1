// flags: -lm
// BFGS with backtracking line search on a 4-D function.
#include "../check.h"
#include <math.h>

#define N 4
static double value(const double x[N], double g[N])
{
    double f = 0;
    for (int i = 0; i < N; i++)
        g[i] = 0;
    for (int i = 0; i < N - 1; i++) {
        double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        f += 10 * a * a + b * b;
        g[i] += -40 * a * x[i] - 2 * b;
        g[i + 1] += 20 * a;
    }
    return f;
}
static double dot(const double a[static N], const double b[static N])
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += a[i] * b[i];
    return s;
}

int main(void)
{
    double x[N] = {-1, 0.5, 1.5, -0.5}, g[N], h[N][N] = {{0}}, f = value(x, g);
    for (int i = 0; i < N; i++)
        h[i][i] = 1;
    int it = 0;
    for (; it < 200 && sqrt(dot(g, g)) > 1e-9; it++) {
        double p[N], s[N], y[N], xn[N], gn[N], t = 1, fn;
        for (int i = 0; i < N; i++)
            p[i] = -dot(h[i], g);
        double slope = dot(p, g);
        for (;;) {
            for (int i = 0; i < N; i++)
                xn[i] = x[i] + t * p[i];
            fn = value(xn, gn);
            if (fn <= f + 1e-4 * t * slope || t < 1e-12)
                break;
            t *= 0.5;
        }
        for (int i = 0; i < N; i++) {
            s[i] = xn[i] - x[i];
            y[i] = gn[i] - g[i];
            x[i] = xn[i];
            g[i] = gn[i];
        }
        f = fn;
        double sy = dot(s, y);
        if (sy < 1e-16)
            continue;
        double hy[N], yhy;
        for (int i = 0; i < N; i++)
            hy[i] = dot(h[i], y);
        yhy = dot(y, hy);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                h[i][j] += (1 + yhy / sy) * s[i] * s[j] / sy - (hy[i] * s[j] + s[i] * hy[j]) / sy;
    }
    CHECK(it < 100);
    double other[N], g2[N];
    for (int i = 0; i < N; i++)
        other[i] = 1;
    CHECK(value(other, g2) == 0);
    CHECK(f < 4 && sqrt(dot(g, g)) < 1e-7);
    printf("%.7f %.7f %.7f\n", f, fabs(x[2]), x[3]);
    return check_done();
}
