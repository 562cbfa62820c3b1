/* Heston price by integrating the characteristic function in C99 complex arithmetic. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

typedef double complex cplx;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static cplx characteristic(cplx u, const double *p, double x, double t)
{
    double v0 = p[0], kappa = p[1], theta = p[2], sigma = p[3], rho = p[4];
    cplx a = kappa - rho * sigma * I * u;
    cplx d = csqrt(a * a + sigma * sigma * (I * u + u * u));
    cplx g = (a - d) / (a + d);
    cplx e = cexp(-d * t);
    cplx c = kappa * theta / (sigma * sigma) * ((a - d) * t - 2 * clog((1 - g * e) / (1 - g)));
    cplx dd = v0 / (sigma * sigma) * (a - d) * (1 - e) / (1 - g * e);
    return cexp(c + dd + I * u * x);
}

double price(const double *p, double spot, double strike, double t)
{
    double x = log(spot), k = log(strike), sum = 0, h = 0.25;
    for (int i = 0; i < 200; i++) {
        double w = (i + 0.5) * h;
        cplx u = w - 0.5 * I;
        cplx f = cexp(-I * w * k) * characteristic(u, p, x, t) / (w * w + 0.25);
        sum += creal(f) * h;
    }
    return spot - sqrt(strike) / M_PI * sum;
}

int main(void)
{
    double p[5] = {0.04, 1.5, 0.05, 0.4, -0.6}, g[5] = {0};
    __enzyme_autodiff((void *)price, enzyme_dup, p, g, enzyme_const, 100.0, enzyme_const, 95.0, enzyme_const, 1.0);
    for (int i = 0; i < 5; i++) {
        double k = p[i], e = 1e-6;
        p[i] = k + e;
        double a = price(p, 100, 95, 1);
        p[i] = k - e;
        double b = price(p, 100, 95, 1);
        p[i] = k;
        double fd = (a - b) / (2 * e);
        if (!(fabs(fd - g[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("parameter %d: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
