/* Embedded Runge-Kutta pair (Heun-Euler) with step-size control: the steps taken depend on the data, not differentiated across. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, double, double);

static double f(double t, double y, double k)
{
    return -k * y + sin(3.0 * t);
}

/* Step sizes are chosen from a fixed table by the local error, so the result is piecewise smooth in k and y0. */
double solve(double k, double y0)
{
    static const double sizes[4] = {0.08, 0.04, 0.02, 0.01};
    double t = 0.0, y = y0;
    int level = 0;
    while (t < 1.0 - 1e-12) {
        double h = sizes[level];
        if (t + h > 1.0)
            h = 1.0 - t;
        double k1 = f(t, y, k);
        double k2 = f(t + h, y + h * k1, k);
        double err = fabs(0.5 * h * (k2 - k1));
        if (err > 2e-3 && level < 3) {
            level++;
            continue;
        }
        y += 0.5 * h * (k1 + k2);
        t += h;
        if (err < 2e-4 && level > 0)
            level--;
    }
    return y * y;
}

struct pair {
    double first, second;
};
struct pair __enzyme_autodiff_pair(void *, double, double);

int main(void)
{
    double k = 2.1, y0 = 0.8, e = 1e-6;
    struct pair g = __enzyme_autodiff_pair((void *)solve, k, y0);
    double fd_k = (solve(k + e, y0) - solve(k - e, y0)) / (2 * e);
    double fd_y = (solve(k, y0 + e) - solve(k, y0 - e)) / (2 * e);
    if (!(fabs(g.first - fd_k) < 1e-6) || !(fabs(g.second - fd_y) < 1e-6)) {
        printf("got (%.9g, %.9g), expected (%.9g, %.9g)\n", g.first, g.second, fd_k, fd_y);
        return 1;
    }
    return 0;
}
