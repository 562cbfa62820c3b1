// Calls that pass integers as constants have derivatives of their own: parameters that change in the function, functions that call themselves with other numbers, types that a
// constant is converted to, more calls than there are such derivatives.
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup, enzyme_out;
double __enzyme_autodiff(void *, ...);

static double powers(double x, int n)
{
    double product = 1;
    while (n-- > 0)
        product *= x;
    return product;
}

static double nested(double x, int n)
{
    return n <= 0 ? x : sin(nested(0.9 * x, n - 1)) + 0.1 * nested(x, n - 2);
}

static double even(double x, int n);
static double odd(double x, int n) { return n <= 0 ? x : 1.1 * even(sin(x), n - 1); }
static double even(double x, int n) { return n <= 0 ? x * x : 0.7 * odd(cos(x), n - 1); }

static double weighted(double x, unsigned char small, _Bool flag, long large, unsigned count, size_t size)
{
    double sum = 0;
    for (unsigned i = 0; i < count % 7; i++)
        sum += x * x * (double)small;
    return sum + (flag == 1 ? x : 0) + x * x * x * (double)large + x * (double)(size > 1000);
}

static double polynomial(const double *c, int n, double x)
{
    double value = 0;
    for (int i = n - 1; i >= 0; i--)
        value = value * x + c[i];
    return value;
}

static int wrong(const char *what, double is, double should)
{
    if (fabs(is - should) <= 1e-7 * (1 + fabs(should)))
        return 0;
    printf("%s: %.12g, should be %.12g\n", what, is, should);
    return 1;
}

#define SLOPE(f, ...) ((f(0.8 + 1e-6, __VA_ARGS__) - f(0.8 - 1e-6, __VA_ARGS__)) / 2e-6)
#define CHECK(f, ...) bad += wrong(#f ", " #__VA_ARGS__, __enzyme_autodiff((void *)f, enzyme_out, 0.8, enzyme_const, __VA_ARGS__), SLOPE(f, __VA_ARGS__))

int main(void)
{
    int bad = 0;
    CHECK(powers, 0);
    CHECK(powers, 1);
    CHECK(powers, 5);
    CHECK(powers, 12);
    CHECK(powers, -3);
    for (int n = 0; n < 4; n++)
        CHECK(powers, n);
    CHECK(nested, 0);
    CHECK(nested, 4);
    CHECK(nested, 5);
    CHECK(even, 5);
    CHECK(odd, 6);
    double d = __enzyme_autodiff((void *)weighted, enzyme_out, 0.8, enzyme_const, 300, enzyme_const, 2, enzyme_const, -1, enzyme_const, 4294967295U, enzyme_const, -1);
    bad += wrong("converted", d, SLOPE(weighted, (unsigned char)300, (_Bool)2, -1L, 4294967295U, (size_t)-1));
    double c[4] = {1, -2, 3, 0.5}, c_bar[4] = {0};
    double x_bar = __enzyme_autodiff((void *)polynomial, enzyme_dup, c, c_bar, enzyme_const, 4, enzyme_out, 1.5);
    bad += wrong("x", x_bar, -2 + 6 * 1.5 + 1.5 * 1.5 * 1.5);
    for (int i = 0; i < 4; i++)
        bad += wrong("coefficient", c_bar[i], pow(1.5, i));
    return bad != 0;
}
