// Static functions of system headers are part of the program: libraries that are headers, and clang's <tgmath.h>.
#include "system_headers.h"
#include <stdio.h>
#include <tgmath.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double objective(const double *x)
{
    return library_length(x, 3) * pow(x[0] * x[0] + 1.0, x[1]) + sqrt(fabs(x[2]));
}

int main(void)
{
    double x[3] = {1.1, 0.7, -1.3}, gradient[3] = {0};
    int wrong = 0;
    __enzyme_autodiff((void *)objective, enzyme_dup, x, gradient);
    for (int i = 0; i < 3; i++) {
        double direction[3] = {0}, saved = x[i], step = 1e-6;
        direction[i] = 1.0;
        double tangent = __enzyme_fwddiff((void *)objective, enzyme_dup, x, direction);
        x[i] = saved + step;
        double above = objective(x);
        x[i] = saved - step;
        double difference = (above - objective(x)) / (2 * step);
        x[i] = saved;
        if (fabs(gradient[i] - difference) > 1e-7 || fabs(gradient[i] - tangent) > 1e-12) {
            printf("x[%d]: reverse %g, forward %g, differences %g\n", i, gradient[i], tangent, difference);
            wrong++;
        }
    }
    return wrong;
}
