// flags: -lm
// Trapezoid, Simpson, Romberg, Gauss-Legendre and adaptive quadrature.
#include "../check.h"
#include <math.h>

typedef double (*integrand)(double);
static double f1(double x) { return exp(-x * x); }
static double f2(double x) { return 1 / (1 + 25 * x * x); }

static double trapezoid(integrand f, double a, double b, int n)
{
    double h = (b - a) / n, s = 0.5 * (f(a) + f(b));
    for (int i = 1; i < n; i++)
        s += f(a + i * h);
    return s * h;
}
static double simpson(integrand f, double a, double b, int n)
{
    double h = (b - a) / n, s = f(a) + f(b);
    for (int i = 1; i < n; i++)
        s += f(a + i * h) * (i % 2 ? 4 : 2);
    return s * h / 3;
}
static double romberg(integrand f, double a, double b)
{
    double r[12][12];
    for (int i = 0; i < 12; i++) {
        r[i][0] = trapezoid(f, a, b, 1 << i);
        for (int k = 1; k <= i; k++)
            r[i][k] = r[i][k - 1] + (r[i][k - 1] - r[i - 1][k - 1]) / (pow(4, k) - 1);
        if (i > 3 && fabs(r[i][i] - r[i - 1][i - 1]) < 1e-12)
            return r[i][i];
    }
    return r[11][11];
}
static double gauss(integrand f, double a, double b, int n)
{
    double s = 0, c = 0.5 * (a + b), h = 0.5 * (b - a);
    for (int i = 1; i <= n; i++) { // Newton on the Legendre polynomial
        double x = cos(M_PI * (i - 0.25) / (n + 0.5)), dp = 1, step;
        do {
            double p0 = 1, p1 = x;
            for (int k = 2; k <= n; k++) {
                double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
                p0 = p1;
                p1 = p2;
            }
            dp = n * (x * p1 - p0) / (x * x - 1);
            step = p1 / dp;
            x -= step;
        } while (fabs(step) > 1e-14);
        s += 2 / ((1 - x * x) * dp * dp) * f(c + h * x);
    }
    return s * h;
}
static int depth_used;
static double adaptive(integrand f, double a, double b, double fa, double fm, double fb, double whole, double eps, int depth)
{
    double m = 0.5 * (a + b), l = f(0.5 * (a + m)), r = f(0.5 * (m + b));
    double left = (m - a) / 6 * (fa + 4 * l + fm), right = (b - m) / 6 * (fm + 4 * r + fb);
    if (depth > depth_used)
        depth_used = depth;
    if (depth > 30 || fabs(left + right - whole) < 15 * eps)
        return left + right + (left + right - whole) / 15;
    return adaptive(f, a, m, fa, l, fm, left, eps / 2, depth + 1) + adaptive(f, m, b, fm, r, fb, right, eps / 2, depth + 1);
}

int main(void)
{
    double exact = 0.7468241328124271, runge = 2 * atan(5) / 5;
    CHECK_NEAR(trapezoid(f1, 0, 1, 1000), exact, 1e-6);
    CHECK_NEAR(simpson(f1, 0, 1, 100), exact, 1e-10);
    CHECK_NEAR(romberg(f1, 0, 1), exact, 1e-12);
    CHECK_NEAR(gauss(f1, 0, 1, 10), exact, 1e-13);
    double a = adaptive(f2, -1, 1, f2(-1), f2(0), f2(1), 2.0 / 6 * (f2(-1) + 4 * f2(0) + f2(1)), 1e-10, 0);
    CHECK_NEAR(a, runge, 1e-9);
    CHECK(depth_used > 3 && depth_used < 20);
    printf("%.10f %.10f %.10f\n", simpson(f2, -1, 1, 64), gauss(f2, -1, 1, 24), a);
    return check_done();
}
