#include "model.h"
#include <math.h>
static double shape(double t) { return t * exp(-t); }
double offset = 0.25;
double residual(double x, const struct params *p) { return shape(p->a * x) - p->b * x * x + offset; }
