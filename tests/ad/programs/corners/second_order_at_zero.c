/* Second derivatives where the first tangent or adjoint is zero: what is zero may change. */
#include <math.h>
#include <stdio.h>

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_out, enzyme_const, enzyme_strong_zero;

static int failed;
static void near(const char *name, const char *how, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * (1 + fabs(expected)))) {
        printf("%s, %s: %.15g, not %.15g\n", name, how, found, expected);
        failed = 1;
    }
}

/* Functions of x * x at zero, in all four ways. */
#define AT_ZERO(NAME, TEXT, EXPECTED) \
    static double NAME(double x) { return TEXT; } \
    static double NAME##_dot(double x) { return __enzyme_fwddiff((void *)NAME, x, 1.0); } \
    static double NAME##_bar(double x) { return __enzyme_autodiff((void *)NAME, x); } \
    static void NAME##_test(void) \
    { \
        near(#TEXT, "forward over forward", __enzyme_fwddiff((void *)NAME##_dot, 0.0, 1.0), EXPECTED); \
        near(#TEXT, "forward over reverse", __enzyme_fwddiff((void *)NAME##_bar, 0.0, 1.0), EXPECTED); \
        near(#TEXT, "reverse over forward", __enzyme_autodiff((void *)NAME##_dot, 0.0), EXPECTED); \
        near(#TEXT, "reverse over reverse", __enzyme_autodiff((void *)NAME##_bar, 0.0), EXPECTED); \
    }
AT_ZERO(logarithm, log(1 + x * x), 2)
AT_ZERO(root, sqrt(1 + x * x), 1)
AT_ZERO(power, pow(1 + x * x, 2.0), 4)
AT_ZERO(exponent, pow(2.0, x * x), 2 * log(2.0))
AT_ZERO(length, hypot(1 + x * x, 3 * x * x), 2)
AT_ZERO(angle, atan2(x * x, 1.0), 2)
AT_ZERO(sine, asin(x * x), 2)
AT_ZERO(hyperbolic, sinh(x * x) + acosh(2 + x * x), 2 + 2 / sqrt(3.0))
AT_ZERO(absolute, fabs(-x * x), 2)
AT_ZERO(scaled, ldexp(x * x, 2), 8)

/* With strong zeros, which are asked for where an infinite factor may meet a zero. */
static double product(double x, double y) { return log(1 + x * y) * cosh(y); }
static double product_dot(double x, double y) { return __enzyme_fwddiff((void *)product, enzyme_strong_zero, enzyme_dup, x, 1.0, enzyme_dup, y, 0.0); }
static double residual(double x) { return (x - 1) * (x - 1); }
static double residual_bar(double x) { return __enzyme_autodiff((void *)residual, enzyme_strong_zero, enzyme_out, x); }

int main(void)
{
    logarithm_test();
    root_test();
    power_test();
    exponent_test();
    length_test();
    angle_test();
    sine_test();
    hyperbolic_test();
    absolute_test();
    scaled_test();
    near("product", "strong zeros", __enzyme_fwddiff((void *)product_dot, enzyme_strong_zero, enzyme_dup, 0.5, 0.0, enzyme_dup, 0.0, 1.0), 1);
    near("residual", "strong zeros", __enzyme_fwddiff((void *)residual_bar, enzyme_strong_zero, enzyme_dup, 1.0, 1.0), 2);
    return failed;
}
