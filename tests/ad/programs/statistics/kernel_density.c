/* Kernel density estimate with an enum-selected kernel (switch), bandwidth active. */
#include <math.h>
#include <stdio.h>

typedef enum { GAUSSIAN, EPANECHNIKOV, TRIANGULAR, LOGISTIC, KERNELS } kernel_t;
extern int enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static double kernel(double u, kernel_t kind)
{
    switch (kind) {
    case GAUSSIAN:
        return exp(-0.5 * u * u) / sqrt(2 * M_PI);
    case EPANECHNIKOV:
        return fabs(u) < 1 ? 0.75 * (1 - u * u) : 0;
    case TRIANGULAR:
        if (fabs(u) >= 1)
            return 0;
        return 1 - fabs(u);
    case LOGISTIC:
        return 1 / (exp(u) + 2 + exp(-u));
    default:
        return NAN;
    }
}

double log_density(double bandwidth, double at, const double *sample, int n, int kind)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += kernel((at - sample[i]) / bandwidth, (kernel_t)kind);
    return log(s / (n * bandwidth));
}

int main(void)
{
    const double sample[6] = {-1.2, -0.3, 0.05, 0.4, 0.9, 2.2};
    int bad = 0;
    for (int kind = 0; kind < KERNELS; kind++) {
        double g = __enzyme_autodiff((void *)log_density, enzyme_out, 0.73, enzyme_const, 0.21, enzyme_const, sample,
                                     enzyme_const, 6, enzyme_const, kind);
        double e = 1e-6;
        double fd = (log_density(0.73 + e, 0.21, sample, 6, kind) - log_density(0.73 - e, 0.21, sample, 6, kind)) / (2 * e);
        if (!(fabs(g - fd) < 1e-7)) {
            printf("kernel %d: %g vs %g\n", kind, g, fd);
            bad++;
        }
    }
    return bad;
}
