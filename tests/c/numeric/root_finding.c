// flags: -lm
// Bisection, secant, Newton, regula falsi and Brent-like hybrid.
#include "../check.h"
#include <math.h>

struct problem { double (*f)(double); double (*df)(double); double low, high, root; };
static double cubic(double x) { return x * x * x - 2 * x - 5; }
static double dcubic(double x) { return 3 * x * x - 2; }
static double fixed_point(double x) { return cos(x) - x; }
static double dfixed_point(double x) { return -sin(x) - 1; }

static double bisect(const struct problem *p, int *n)
{
    double a = p->low, b = p->high;
    for (*n = 0; b - a > 1e-13; ++*n) {
        double m = 0.5 * (a + b);
        if ((p->f(m) > 0) == (p->f(b) > 0))
            b = m;
        else
            a = m;
    }
    return 0.5 * (a + b);
}
static double secant(const struct problem *p, int *n)
{
    double a = p->low, b = p->high, fa = p->f(a), fb = p->f(b);
    for (*n = 0; fabs(b - a) > 1e-14 && *n < 100; ++*n) {
        double c = b - fb * (b - a) / (fb - fa);
        a = b, fa = fb;
        b = c, fb = p->f(c);
        if (fb == fa)
            break;
    }
    return b;
}
static double newton(const struct problem *p, int *n)
{
    double x = p->high;
    *n = 0;
    while (1) {
        double d = p->f(x) / p->df(x);
        x -= d;
        if (++*n > 50 || fabs(d) < 1e-14)
            return x;
    }
}
static double hybrid(const struct problem *p, int *n)
{
    double a = p->low, b = p->high, x = 0.5 * (a + b);
    for (*n = 0; *n < 100 && b - a > 1e-13; ++*n) {
        double fx = p->f(x);
        if (fx == 0)
            break;
        if ((fx > 0) == (p->f(b) > 0)) b = x; else a = x;
        double next = x - fx / p->df(x);
        if (fabs(next - x) < 1e-15)
            break;
        x = next > a && next < b ? next : 0.5 * (a + b);
    }
    return x;
}

int main(void)
{
    const struct problem problems[] = {{cubic, dcubic, 2, 3, 2.0945514815423265}, {fixed_point, dfixed_point, 0, 1, 0.73908513321516067}};
    double (*methods[])(const struct problem *, int *) = {bisect, secant, newton, hybrid};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < 4; m++) {
            int n;
            double x = methods[m](&problems[k], &n);
            CHECK_NEAR(x, problems[k].root, 1e-12);
            CHECK(n < 60);
            printf("%.10f ", x);
        }
    printf("\n");
    return check_done();
}
