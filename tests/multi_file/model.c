#include "model.h"
#include <math.h>
static double offset = 0.25;
static const double weights[3] = {1, 2, 3};
static double square(double x) { return x * x + offset; }
static double cube(double x) { return x * x * x; }
static double (*table[2])(double) = {square, cube};
double model(double x, const struct params *p)
{
    static const double extra[2] = {0.5, 0.75};
    double s = 0;
    for (int i = 0; i < 3; i++)
        s += weights[i] * table[i % 2](x * p->a) * exp(-p->b * i) + extra[i % 2] * x;
    return s;
}
