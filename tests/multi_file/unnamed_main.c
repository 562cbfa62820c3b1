#define MAIN
#include "unnamed.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct { double scale; struct { double x; } origin; } settings;
double __enzyme_autodiff(void *, ...);
int enzyme_dup;
double figure_area(const figure *f)
{
    if (f->form == ROUND)
        return f->shape.circle.radius * settings.scale;
    return f->shape.box.width * f->shape.box.height * settings.scale;
}
static double both(const double *x)
{
    figure *f = figure_new(x);
    double r = figure_area(f) + f->frame->corner[1].at[0] * f->frame->corner[0].at[1] + f->frame->corner[1].at[1] * x[0];
    free(f->frame);
    free(f);
    return r;
}
int main(void)
{
    double x[3] = {0.5, 2, 3}, d[3] = {0};
    settings.scale = 1.5;
    settings.origin.x = 4;
    __enzyme_autodiff((void *)both, enzyme_dup, x, d);
    double e[3] = {1.5 * 2 * 3 + 4, 1.5 * 0.5 * 3 + 9, 1.5 * 0.5 * 2 + 2 * 3 * 2};
    for (int i = 0; i < 3; i++)
        if (!(fabs(d[i] - e[i]) < 1e-12))
            return printf("%d: %g, not %g\n", i, d[i], e[i]), 1;
    return 0;
}
