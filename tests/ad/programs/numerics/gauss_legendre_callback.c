/* Fixed quadrature with nodes in static const tables and a callback chosen at the call site. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_out;
extern int enzyme_const;

static const double node[5] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831, 0.9061798459386640};
static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891};

static double quadrature(double (*f)(double, double), double p, double a, double b)
{
    double half = 0.5 * (b - a), mid = 0.5 * (a + b), s = 0;
    for (int i = 0; i < 5; i++)
        s += weight[i] * f(mid + half * node[i], p);
    return half * s;
}

static double power_integrand(double x, double p) { return pow(x, p); }
static double exp_integrand(double x, double p) { return exp(p * x); }

double difference(double p, double b)
{
    return quadrature(power_integrand, p, 1, b) - 2 * quadrature(exp_integrand, p, 0, b);
}

int main(void)
{
    double p = 1.7, b = 2.0;
    double dp = __enzyme_autodiff((void *)difference, enzyme_out, p, enzyme_const, b);
    double db = __enzyme_autodiff((void *)difference, enzyme_const, p, enzyme_out, b);
    double e = 1e-6, fp = (difference(p + e, b) - difference(p - e, b)) / (2 * e), fb = (difference(p, b + e) - difference(p, b - e)) / (2 * e);
    if (!(fabs(dp - fp) < 1e-7 * (1 + fabs(fp)) && fabs(db - fb) < 1e-7 * (1 + fabs(fb)))) {
        printf("%g vs %g, %g vs %g\n", dp, fp, db, fb);
        return 1;
    }
    return 0;
}
