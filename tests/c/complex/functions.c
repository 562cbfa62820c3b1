// flags: -lm
// The complex.h functions and their identities.
#include "../check.h"
#include <complex.h>
#include <math.h>

static double distance(double complex a, double complex b) { return cabs(a - b); }

int main(void)
{
    double complex z[] = {0.5 + 0.25 * I, -1.5 + 2 * I, 0.75 - 1.25 * I, -0.3 - 0.1 * I};
    for (int k = 0; k < 4; k++) {
        double complex w = z[k];
        CHECK_NEAR(distance(conj(conj(w)), w), 0, 0);
        CHECK_NEAR(creal(w * conj(w)), cabs(w) * cabs(w), 1e-14);
        CHECK_NEAR(distance(cexp(clog(w)), w), 0, 1e-14);
        CHECK_NEAR(distance(csqrt(w) * csqrt(w), w), 0, 1e-14);
        CHECK_NEAR(distance(csin(w) * csin(w) + ccos(w) * ccos(w), 1), 0, 1e-12);
        CHECK_NEAR(distance(ccosh(w), ccos(I * w)), 0, 1e-13);
        CHECK_NEAR(distance(cpow(w, 3), w * w * w), 0, 1e-12);
        CHECK_NEAR(distance(ctan(w), csin(w) / ccos(w)), 0, 1e-13);
        CHECK_NEAR(distance(cabs(w) * cexp(I * carg(w)), w), 0, 1e-14);
        CHECK_NEAR(distance(csinh(w) + ccosh(w), cexp(w)), 0, 1e-13);
        printf("%.10g %.10g %.10g %.10g\n", cabs(w), carg(w), creal(cexp(w)), cimag(clog(w)));
    }
    CHECK(cimag(csqrt(-4)) == 2 && creal(csqrt(-4)) == 0);
    CHECK_NEAR(distance(cexp(I * M_PI), -1), 0, 1e-15);
    float complex f = csqrtf(3 + 4 * I);
    CHECK_NEAR(crealf(f), 2, 1e-6);
    CHECK(cprojf(1.0f) == 1.0f && cabsf(3 + 4 * I) == 5.0f);
    return check_done();
}
