/* Root finding with function and derivative callbacks packed in a struct of function pointers. */
#include <math.h>
#include <stdio.h>

struct solver {
    double (*value)(double, double);
    double (*slope)(double, double);
    int max_iterations;
};
double __enzyme_autodiff(void *, ...);

static double cubic(double x, double a) { return x * x * x - a; }
static double cubic_slope(double x, double a) { (void)a; return 3 * x * x; }
static double transcendental(double x, double a) { return x - a * cos(x); }
static double transcendental_slope(double x, double a) { return 1 + a * sin(x); }

static double solve(const struct solver *s, double a, double x)
{
    for (int i = 0; i < s->max_iterations; i++) {
        double step = s->value(x, a) / s->slope(x, a);
        x -= step;
        if (fabs(step) < 1e-14)
            break;
    }
    return x;
}

double combined(double a)
{
    struct solver one = {cubic, cubic_slope, 60}, two = {.max_iterations = 60, .value = transcendental, .slope = transcendental_slope};
    return solve(&one, a, 1.0) * solve(&two, a, 0.5);
}

int main(void)
{
    double a = 1.3, g = __enzyme_autodiff((void *)combined, a);
    double c = cbrt(a), t = 0.5;
    for (int i = 0; i < 200; i++)
        t -= (t - a * cos(t)) / (1 + a * sin(t));
    double want = 1 / (3 * c * c) * t + c * cos(t) / (1 + a * sin(t));
    if (!(fabs(g - want) < 1e-10)) {
        printf("%.14g vs %.14g\n", g, want);
        return 1;
    }
    return 0;
}
