#include "series.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_dup;
int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double objective(const double *x)
{
    return series_even(x[0]) * series_odd(x[1]) + series_odd(x[0]);
}

int main(void)
{
    double x[2] = {0.3, -0.8}, g[2] = {0, 0};
    int bad = series_is_bad(1.0f);
    __enzyme_autodiff((void *)objective, enzyme_dup, x, g);
    for (int i = 0; i < 2; i++) {
        double h = 1e-6, s = x[i], t[2] = {i == 0, i == 1};
        double forward = __enzyme_fwddiff((void *)objective, enzyme_dup, x, t);
        x[i] = s + h;
        double up = objective(x);
        x[i] = s - h;
        double down = objective(x);
        x[i] = s;
        bad |= fabs(g[i] - (up - down) / (2 * h)) > 1e-8 || fabs(g[i] - forward) > 1e-12;
        printf("%.12g %.12g %.12g\n", g[i], forward, (up - down) / (2 * h));
    }
    return bad;
}
