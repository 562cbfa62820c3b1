// Numbers that are computed before it is known whether they make sense: where they do not, they are infinite or no numbers, nobody uses them, and gradients do not see them.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double quotient(const double *x, int n)
{
    double q = x[0] / x[1];
    return n > 1 && x[1] != 0 ? q : x[0];
}

static double root(const double *x, int n)
{
    double r = sqrt(x[0]);
    return x[0] > 0 ? r * n : x[1];
}

static double softplus(const double *x, int n)
{
    double e = exp(x[0]), both = e * e + e;
    return x[0] > 30 ? x[0] * n : log1p(both);
}

/* Left early. */
static double skipped(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double q = x[i] / (x[i] - 1), w = acos(x[i]);
        if (x[i] >= 1) {
            s += 3 * x[i];
            continue;
        }
        s += q * w;
    }
    return s;
}

/* A chain of them, tested at its end. */
static double chain(const double *x, int n)
{
    double r = 1 / x[0], l = log(r), z = l * r * r;
    if (isfinite(z))
        return z;
    return x[1] * n;
}

static double oscillation(const double *x, int n)
{
    double s = sin(1 / x[0]), t = pow(x[1], 1.5);
    double p = t * x[0];
    return (x[0] != 0 ? x[0] * x[0] * s : 0) + (x[1] < 0 ? x[0] * n : p);
}

static int failures;

static void check(const char *name, double want_a, double want_b, const double *rev, const double *fwd)
{
    double want[2] = {want_a, want_b};
    for (int i = 0; i < 2; i++)
        if (!(fabs(rev[i] - want[i]) <= 1e-10 * (1 + fabs(want[i]))) || !(fabs(fwd[i] - want[i]) <= 1e-10 * (1 + fabs(want[i])))) {
            printf("%s[%d]: reverse %.15g, forward %.15g, not %.15g\n", name, i, rev[i], fwd[i], want[i]);
            failures++;
        }
}

#define CHECK(f, a, b, want_a, want_b)                                                      \
    do {                                                                                    \
        double x[2] = {a, b}, rev[2] = {0}, fwd[2];                                         \
        __enzyme_autodiff((void *)f, enzyme_dup, x, rev, enzyme_const, 2);                  \
        for (int k = 0; k < 2; k++) {                                                       \
            double x_dot[2] = {k == 0, k == 1};                                             \
            fwd[k] = __enzyme_fwddiff((void *)f, enzyme_dup, x, x_dot, enzyme_const, 2);    \
        }                                                                                   \
        check(#f, want_a, want_b, rev, fwd);                                                \
    } while (0)

int main(void)
{
    CHECK(quotient, 3, 0, 1, 0);
    CHECK(quotient, 3, 2, 0.5, -0.75);
    CHECK(root, -3, 2, 0, 1);
    CHECK(root, 4, 2, 0.5, 0);
    CHECK(softplus, 800, 1, 2, 0);
    CHECK(softplus, 0, 1, 1, 0);
    CHECK(skipped, 1, 2, 3, 3);
    CHECK(chain, 0, 2, 0, 2);
    CHECK(chain, 1, 2, -1, 0);
    CHECK(oscillation, 0, -2, 2, 0);
    return failures;
}
