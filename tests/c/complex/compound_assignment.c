// Compound assignment on complex lvalues, real parts as lvalues.
#include "../check.h"
#include <complex.h>

int main(void)
{
    double complex z = 2 + I;
    z += 1;
    z -= 2 * I;
    CHECK(z == 3 - I);
    z *= z;
    CHECK(z == 8 - 6 * I);
    z /= 2;
    CHECK(z == 4 - 3 * I);
    z *= I;
    CHECK(z == 3 + 4 * I);
    z /= 1 + 0 * I;
    CHECK(z == 3 + 4 * I);
    __real__ z = 10;
    __imag__ z += 5;
    CHECK(creal(z) == 10 && cimag(z) == 9);
    double *parts = (double *)&z;
    parts[1] = -1;
    CHECK(z == 10 - I);
    CHECK(~z == 10 + I); // GNU: conjugate
    double r = 5;
    r += z; // only the real part is kept
    CHECK(r == 15);
    float complex f = 1.5f;
    f += 2.5;
    f *= 1.0f - I;
    CHECK(f == 4.0f - 4.0f * I);
    double complex a[3] = {1, 2, 3};
    int i = 0;
    a[i++] += I;
    a[i] *= a[i - 1];
    CHECK(i == 1 && a[0] == 1 + I && a[1] == 2 + 2 * I);
    double complex w = a[2] = z;
    CHECK(w == a[2]);
    z = 1.0i + 2.0;
    CHECK(z == 2 + I);
    printf("%g%+gi %g%+gi\n", creal(z), cimag(z), creal(a[1]), cimag(a[1]));
    return check_done();
}
