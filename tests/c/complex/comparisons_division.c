// flags: -lm
// Complex division in several magnitudes, equality, branches on parts.
#include "../check.h"
#include <complex.h>
#include <math.h>

static double complex smith(double complex x, double complex y)
{
    double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    if (fabs(c) >= fabs(d)) {
        double r = d / c, m = c + d * r;
        return (a + b * r) / m + I * ((b - a * r) / m);
    }
    double r = c / d, m = c * r + d;
    return (a * r + b) / m + I * ((b * r - a) / m);
}
static int quadrant(double complex z)
{
    if (z == 0)
        return 0;
    return creal(z) >= 0 ? (cimag(z) >= 0 ? 1 : 4) : cimag(z) >= 0 ? 2 : 3;
}

int main(void)
{
    double complex values[] = {1, I, 1 + I, -3 + 0.5 * I, 1e100 + 1e99 * I, 1e-100 - 2e-100 * I};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double complex q = values[i] / values[j], s = smith(values[i], values[j]);
            CHECK_NEAR(cabs(q - s), 0, 1e-12 * cabs(s));
        }
    double complex q = (5 + 10 * I) / (1 + 2 * I);
    CHECK_NEAR(creal(q), 5, 1e-14);
    CHECK_NEAR(cimag(q), 0, 1e-14);
    CHECK(quadrant(1 + I) == 1 && quadrant(-1 + I) == 2 && quadrant(-1 - I) == 3 && quadrant(1 - I) == 4 && !quadrant(0));
    CHECK((1 + I == 1 + I) && !(1 + I == 1 - I) && (1 + 0 * I == 1) && (I != 1));
    double complex z = 1 / (2 * I);
    CHECK(creal(z) == 0 && cimag(z) == -0.5);
    double complex continued = 1;
    for (int i = 0; i < 30; i++)
        continued = (1 + I) + 1 / continued;
    printf("%.12g %.12g\n", creal(continued), cimag(continued));
    return check_done();
}
