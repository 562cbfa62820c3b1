// Complex arithmetic: the four operations, negation, mixed operands.
#include "../check.h"
#include <complex.h>

int main(void)
{
    double complex a = 1 + 2 * I, b = 3 - 4 * I;
    double complex s = a + b, d = a - b, p = a * b, q = a / b;
    CHECK(creal(s) == 4 && cimag(s) == -2);
    CHECK(creal(d) == -2 && cimag(d) == 6);
    CHECK(creal(p) == 11 && cimag(p) == 2);
    printf("%.12g %.12g\n", creal(q), cimag(q));
    CHECK_NEAR(creal(q), -0.2, 1e-15);
    CHECK_NEAR(cimag(q), 0.4, 1e-15);
    double complex n = -a;
    CHECK(creal(n) == -1 && cimag(n) == -2);
    CHECK(a * 2 == 2 + 4 * I && 2.5 * a == 2.5 + 5 * I && a + 1 == 2 + 2 * I && 1 - a == -2 * I);
    double complex half = a / 2;
    CHECK(creal(half) == 0.5 && cimag(half) == 1);
    double complex power = 1;
    for (int i = 0; i < 8; i++)
        power *= 1 + I;
    CHECK(power == 16);
    CHECK(I * I == -1 && a != b && a == a);
    int i = (int)creal(p) + 3;
    CHECK(i == 14);
    double real_part = a; // drops the imaginary part
    CHECK(real_part == 1);
    float complex f = a;
    CHECK(crealf(f) == 1 && sizeof f == 8 && sizeof a == 16 && sizeof(f * a) == 16);
    _Bool truth = 0 * I, truth2 = 1 * I;
    CHECK(!truth && truth2 && (a ? 1 : 0));
    printf("%g%+gi\n", creal(a * a * a), cimag(a * a * a));
    return check_done();
}
