// Estimates of rounding errors: what operands bring, and at least one unit in the last place of each result.
#include <float.h>
#include <math.h>
#include <stdio.h>

double __enzyme_error_estimate(void *, ...);
extern int enzyme_dup, enzyme_const;

static double cosine(double x)
{
    return cos(x);
}

/* Cancellation: the difference has lost most of its digits. */
static double cancelled(double x)
{
    double a = cos(x);
    double b = 1 - a;
    return b / (x * x);
}

static double quotient(double x, double y)
{
    return x / y;
}

static double product(const double *x, int n)
{
    double p = 1;
    for (int i = 0; i < n; i++)
        if (x[i] != 0)
            p *= x[i];
    return p;
}

static int failures;

static void check(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-3 * fabs(want))) {
        printf("%s: %.15g, not %.15g\n", what, got, want);
        failures++;
    }
}

int main(void)
{
    check("cosine", __enzyme_error_estimate((void *)cosine, 1e-7, 0.0), DBL_EPSILON / 2);
    check("cancelled", __enzyme_error_estimate((void *)cancelled, 1e-7, 0.0), 2.2222e-2);
    double want = 0.5 * 3 / 1.5 / 2 + 0.25 * 2 / 1.5 / 2 * 1.5;
    check("quotient", __enzyme_error_estimate((void *)quotient, 3.0, 0.5, 2.0, 0.25), want);
    check("exact arguments", __enzyme_error_estimate((void *)quotient, 3.0, 0.0, 2.0, 0.0), DBL_EPSILON);
    double x[3] = {2, 0, 3}, e[3] = {0.125, 5, 0};
    check("product", __enzyme_error_estimate((void *)product, enzyme_dup, x, e, enzyme_const, 3), 0.125);
    return failures;
}
