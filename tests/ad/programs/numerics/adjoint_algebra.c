// Adjoints that are scaled by constants, negated, doubled by squares and divided by what has a reciprocal: the derivative is that of the formula to the last digits, in both
// precisions, and where factors are very large or very small.
#include <float.h>
#include <math.h>
#include <stdio.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static double scaled(const double *x)
{
    return -(0.5 * (-1.25 * x[0] * 8.0) * x[1] / 3.0) - 0.1 * (0.3 * x[2] - 0.3 * x[0]) + 0.0 * x[1];
}

static double logistic(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double s = 1.0 / (1.0 + exp(-x[i]));
        double quotient = x[i] / (1.0 + exp(-x[i]));
        sum += s * quotient - quotient * 2.0 * s * s;
    }
    return sum;
}

static double squares(const double *x)
{
    double all = 0, weight = x[0] * x[1];
    for (int i = 0; i < 3; i++)
        all -= weight * x[i] * x[i] - x[i] * x[i];
    return all * all;
}

/* The constants do not fit into one number. */
static double extreme(const double *x)
{
    double large = x[0] * 1e250, back = large * 1e-250, small = x[1] * 1e-250;
    return back * back * 1e200 * 1e-200 + small * 1e200 * x[2] * 1e50;
}

static float single(const float *x)
{
    return -(x[0] * 3.0f * x[1] * -0.5f) / 7.0f + 1.0f / x[2] * 2.0f - (x[1] / x[2]) * 4.0f;
}

static int wrong;

static void check(const char *name, int k, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * (fabs(wanted) + 1e-30))) {
        printf("%s %d: %.17g, not %.17g\n", name, k, got, wanted);
        wrong = 1;
    }
}

int main(void)
{
    double x[3] = {0.7, -1.3, 2.1}, g[3] = {0};
    __enzyme_autodiff((void *)scaled, enzyme_dup, x, g);
    check("scaled", 0, g[0], 5.0 * x[1] / 3.0 + 0.03, 1e-15);
    check("scaled", 1, g[1], 5.0 * x[0] / 3.0, 1e-15);
    check("scaled", 2, g[2], -0.03, 1e-15);

    double h[3] = {0};
    __enzyme_autodiff((void *)logistic, enzyme_dup, x, h);
    for (int i = 0; i < 3; i++) {
        double s = 1 / (1 + exp(-x[i])), d = s * (1 - s), q = x[i] * s, p = s + x[i] * d;
        check("logistic", i, h[i], d * q + s * p - 2 * (p * s * s + 2 * q * s * d), 1e-13);
    }

    double s[3] = {0}, sum = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], w = x[0] * x[1], all = sum - w * sum;
    __enzyme_autodiff((void *)squares, enzyme_dup, x, s);
    for (int i = 0; i < 3; i++) {
        double other = i == 0 ? x[1] : i == 1 ? x[0] : 0;
        check("squares", i, s[i], 2 * all * (2 * x[i] * (1 - w) - other * sum), 1e-13);
    }

    double e[3] = {0};
    __enzyme_autodiff((void *)extreme, enzyme_dup, x, e);
    check("extreme", 0, e[0], 2 * x[0], 1e-13);
    check("extreme", 1, e[1], x[2], 1e-13);
    check("extreme", 2, e[2], x[1], 1e-13);

    float y[3] = {0.7f, -1.3f, 2.1f}, f[3] = {0};
    __enzyme_autodiff((void *)single, enzyme_dup, y, f);
    check("single", 0, f[0], 1.5 * y[1] / 7, 4 * FLT_EPSILON);
    check("single", 1, f[1], 1.5 * y[0] / 7 - 4 / y[2], 4 * FLT_EPSILON);
    check("single", 2, f[2], (-2 + 4 * y[1]) / (y[2] * y[2]), 8 * FLT_EPSILON);
    return wrong;
}
