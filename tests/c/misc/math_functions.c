// flags: -lm
// Every common math.h function, rounded so that libm differences do not show.
#include "../check.h"
#include <math.h>

#define SHOW1(f) printf(#f " %.10g %.10g\n", f(x), f(y))
#define SHOW2(f) printf(#f " %.10g\n", (double)f(x, y))

int main(void)
{
    volatile double vx = 0.7, vy = 0.3;
    double x = vx, y = vy;
    SHOW1(sin); SHOW1(cos); SHOW1(tan); SHOW1(asin); SHOW1(acos); SHOW1(atan);
    SHOW1(sinh); SHOW1(cosh); SHOW1(tanh); SHOW1(asinh); SHOW1(atanh);
    SHOW1(exp); SHOW1(exp2); SHOW1(expm1); SHOW1(log); SHOW1(log2); SHOW1(log10); SHOW1(log1p);
    SHOW1(sqrt); SHOW1(cbrt); SHOW1(erf); SHOW1(erfc); SHOW1(tgamma); SHOW1(lgamma);
    SHOW1(ceil); SHOW1(floor); SHOW1(trunc); SHOW1(round); SHOW1(rint); SHOW1(fabs);
    SHOW2(pow); SHOW2(atan2); SHOW2(hypot); SHOW2(fmod); SHOW2(remainder); SHOW2(fmax); SHOW2(fmin);
    SHOW2(fdim); SHOW2(copysign);
    printf("%.10g %.7g %.7g\n", acosh(1 + x), sinf((float)x), powf((float)x, 2.5f));
    int e;
    double m = frexp(12.0 + 0 * x, &e), whole, part = modf(-3.75, &whole);
    CHECK(m == 0.75 && e == 4 && whole == -3 && part == -0.75 && ldexp(0.75, 4) == 12);
    CHECK(scalbn(1.5, 3) == 12 && ilogb(10.0) == 3 && logb(10.0) == 3);
    CHECK(lround(-2.5) == -3 && lrint(2.5) == 2 && llround(1e10) == 10000000000LL && nearbyint(-0.5) == 0);
    CHECK(fma(2, 3, 4) == 10 && copysign(3, -0.0) == -3 && fdim(1, 2) == 0);
    CHECK(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1 && round(-1.5) == -2);
    CHECK(fmod(-7, 3) == -1 && remainder(7, 4) == -1 && floorf(2.7f) == 2.0f && fabsf(-1.0f) == 1.0f);
    CHECK(fpclassify(1.0) == FP_NORMAL && isnormal(1.0) && sqrtl(4.0L) == 2.0L);
    return check_done();
}
