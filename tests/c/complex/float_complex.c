// flags: -lm
// float complex and long double complex, and mixing precisions.
#include "../check.h"
#include <complex.h>

static float complex step(float complex z, float complex c) { return z * z + c; }
static long double complex precise(long double complex z) { return z * z / (1 + z); }

int main(void)
{
    float complex f = 0.1f + 0.2f * I;
    for (int i = 0; i < 10; i++)
        f = step(f, -0.4f + 0.3f * I);
    printf("%.7g %.7g\n", crealf(f), cimagf(f));
    double complex d = f;
    CHECK((float complex)d == f);
    CHECK(sizeof(f + 1.0) == sizeof(double complex) && sizeof(f + 1.0f) == sizeof(float complex));
    long double complex l = precise(d);
    CHECK(sizeof l == 32);
    printf("%.12Lg %.12Lg\n", creall(l), cimagl(l));
    CHECK_NEAR((double)cabsl(l * (1 + (long double complex)d) - (long double complex)d * d), 0, 1e-15);
    int n = 3;
    unsigned u = 4;
    CHECK(n * f == f + f + f || cabsf(n * f - (f + f + f)) < 1e-6f);
    CHECK(u + 0 * I == 4 && (char)2 * I == 2 * I);
    float complex v[8];
    for (int i = 0; i < 8; i++)
        v[i] = i - (float)i * I / 2;
    float complex s = 0;
    for (float complex *p = v; p < v + 8; ++p)
        s += *p * conjf(*p);
    CHECK(s == 175);
    return check_done();
}
