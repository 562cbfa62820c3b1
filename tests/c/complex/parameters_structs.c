// Complex parameters, returns, arrays and struct members.
#include "../check.h"
#include <complex.h>

typedef double complex cplx;
struct signal { cplx sample[4]; float complex gain; int n; };
struct pair { cplx a, b; };

static cplx scale(cplx z, double s) { return z * s; }
static float complex rotate(float complex z) { return z * I; }
static cplx sum(const cplx *z, int n) { cplx s = 0; while (n--) s += *z++; return s; }
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static void twist(cplx *z, cplx by) { *z *= by; }
static cplx apply(cplx (*f)(cplx, double), cplx z, double s) { return f(z, s); }
static struct signal amplify(struct signal s)
{
    for (int i = 0; i < s.n; i++)
        s.sample[i] *= s.gain;
    return s;
}
static double norm1(cplx z) { double r = creal(z), i = cimag(z); return (r < 0 ? -r : r) + (i < 0 ? -i : i); }

int main(void)
{
    CHECK(scale(1 + I, 3) == 3 + 3 * I);
    CHECK(rotate(rotate(2.0f + I)) == -2.0f - I);
    struct signal s = {{1, I, -1, -I}, 2.0f * I, 4};
    CHECK(sum(s.sample, 4) == 0);
    struct signal t = amplify(s);
    CHECK(t.sample[0] == 2 * I && t.sample[1] == -2 && s.sample[1] == I);
    struct pair p = swap((struct pair){1 + 2 * I, 3});
    CHECK(p.a == 3 && p.b == 1 + 2 * I);
    twist(&p.b, 1 - 2 * I);
    CHECK(p.b == 5);
    CHECK(apply(scale, I, -4) == -4 * I);
    cplx table[2][2] = {{1, 2 * I}, {3 + I, 4}};
    cplx determinant = table[0][0] * table[1][1] - table[0][1] * table[1][0];
    CHECK(determinant == 6 - 6 * I);
    printf("%g %g %g\n", creal(determinant), cimag(determinant), norm1(t.sample[3] - 3 * I));
    return check_done();
}
