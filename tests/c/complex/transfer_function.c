// flags: -lm
// Frequency response of filters and an AC circuit.
#include "../check.h"
#include <complex.h>
#include <math.h>

static double complex impedance(double r, double l, double c, double omega)
{
    double complex zl = I * omega * l, zc = 1 / (I * omega * c);
    return r + zl * zc / (zl + zc);
}
static double complex digital(const double *b, const double *a, int n, double theta)
{
    double complex z = cexp(-I * theta), num = 0, den = 0, p = 1;
    for (int k = 0; k < n; k++, p *= z) {
        num += b[k] * p;
        den += a[k] * p;
    }
    return num / den;
}

int main(void)
{
    for (double omega = 100; omega < 1e6; omega *= 10) {
        double complex z = impedance(50, 1e-3, 1e-6, omega);
        printf("%.8g %.8g\n", cabs(z), carg(z) * 180 / M_PI);
    }
    const double b[3] = {0.25, 0.5, 0.25}, a[3] = {1, -0.3, 0.1};
    CHECK_NEAR(cabs(digital(b, a, 3, 0)), 1.25, 1e-12);
    CHECK_NEAR(cabs(digital(b, a, 3, M_PI)), 0, 1e-12);
    double complex chain = 1;
    for (int k = 1; k <= 3; k++)
        chain *= digital(b, a, 3, k * 0.5);
    printf("%.10g %.10g\n", creal(chain), cimag(chain));
    return check_done();
}
