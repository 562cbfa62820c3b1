#include "series.h"
#include <math.h>

typedef struct {
    double *c;
    int order;
    double a, b;
} series;

static double even_data[5] = {1.2, -0.4, 0.05, -0.003, 0.0002};
static series even = {even_data, 4, -1, 1};
static double odd_data[4] = {0.7, 0.2, -0.01, 0.0007};
static series odd = {odd_data, 3, -2, 2};

static int evaluate(const series *s, double x, double *result)
{
    double d = 0, dd = 0, y = (2 * x - s->a - s->b) / (s->b - s->a);
    for (int j = s->order; j >= 1; j--) {
        double t = d;
        d = 2 * y * d - dd + s->c[j];
        dd = t;
    }
    *result = y * d - dd + 0.5 * s->c[0];
    return isnan((long double)*result);
}

double series_even(double x)
{
    double r;
    if (evaluate(&even, x, &r))
        series_error("even");
    return r;
}

double series_odd(double x)
{
    double r;
    if (evaluate(&odd, x, &r))
        series_error("odd");
    return x * r;
}
