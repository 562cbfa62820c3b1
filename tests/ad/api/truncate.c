// Functions and numbers in single precision: operations, comparisons, library functions, called functions, memory, conversions.
#include <math.h>
#include <stdio.h>

typedef double (*scalar)(double, double);
typedef double (*array)(const double *, double *, int);
scalar __enzyme_truncate_op_func(void *, int, int);
scalar __enzyme_truncate_mem_func(void *, int, int);
array __enzyme_truncate_op_func_array(void *, int, int);
double __enzyme_truncate_mem_value(double, int, int);
double __enzyme_expand_mem_value(double, int, int);

static double third(double a, double b) { return a / b + 1.0; }
static double larger(double a, double b) { return a > b ? a * 2 : b + a; }
static double squares(double a, double b) { return third(a * a, b) * sqrt(b); }
static double power(double a, double b) { return b < 1 ? 1 : a * power(a, b - 1); }
static double sums(const double *x, double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        y[i] = exp(x[i]) + i;
        s += y[i] / 3;
    }
    return s;
}

static int failures;
static void check(const char *what, double got, double want)
{
    if (got != want) {
        printf("%s: %.17g, not %.17g\n", what, got, want);
        failures++;
    }
}

int main(void)
{
    volatile float a = 1.1f, b = 3.3f, one = 1.0f, two = 2.0f;
    check("operations", __enzyme_truncate_op_func((void *)third, 64, 32)(1.1, 3.3), (float)(a / b) + one);
    check("not as before", third(1.1, 3.3) != (float)(a / b) + one, 1);
    check("comparisons", __enzyme_truncate_op_func((void *)larger, 64, 32)(1.0 + 1e-12, 1.0), one + one);
    check("calls", __enzyme_truncate_op_func((void *)squares, 64, 32)(1.1, 3.3), (float)((float)((float)(a * a) / b) + one) * sqrtf(b));
    check("recursion", __enzyme_truncate_mem_func((void *)power, 64, 32)(1.1, 3.0), (float)(a * (float)(a * a)));
    double y[3], s = 0;
    const double x[3] = {0.1, 0.2, 0.3};
    double got = __enzyme_truncate_op_func_array((void *)sums, 64, 32)(x, y, 3);
    for (int i = 0; i < 3; i++) {
        volatile float e = expf((float)x[i]), z = e + (float)i, q = z / 3.0f, t = (float)s + q;
        check("memory", y[i], z);
        s = t;
    }
    check("sums", got, s);
    double v = __enzyme_truncate_mem_value(0.1, 64, 32);
    check("values", v, 0.1f);
    check("and back", __enzyme_expand_mem_value(__enzyme_truncate_mem_func((void *)larger, 64, 32)(v, v), 64, 32), two * 0.1f);
    return failures;
}
