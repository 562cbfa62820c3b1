// flags: -lm
// NaN, infinities and signed zero under every comparison.
#include "../check.h"
#include <math.h>

static void relations(double a, double b)
{
    printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
    printf("%d%d%d\n", !(a < b), !(a >= b), a < b ? 1 : a > b ? 2 : 3);
}

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

int main(void)
{
    volatile double zero = 0.0;
    double nan_value = NAN, inf = INFINITY, negative_zero = -zero;
    double values[] = {nan_value, inf, -inf, 0.0, negative_zero, 1.0};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            relations(values[i], values[j]);
    CHECK(nan_value != nan_value);
    CHECK(isnan(inf - inf) && isnan(inf * zero) && isinf(inf + 1));
    CHECK(1.0 / inf == 0.0 && signbit(negative_zero) && !signbit(zero));
    CHECK(signbit(negative_zero) && negative_zero == zero);
    CHECK(signbit(-0.0) && !signbit(0.0 - 0.0) && signbit(0.0 * -1));
    CHECK(fmax(nan_value, 2) == 2 && fmin(3, nan_value) == 3);
    CHECK(isnan(sign(nan_value)) && sign(-inf) == -1);
    CHECK(isnan(sqrt(-1.0 + zero)) && log(1.0) == 0.0);
    CHECK(!(nan_value > 0 || nan_value <= 0));
    CHECK(nan_value ? 1 : 0);
    CHECK(!!nan_value && !(!nan_value));
    CHECK(isunordered(nan_value, 1.0) && !isless(nan_value, 1.0) && isfinite(1e308));
    float f = 3e38f;
    f *= 10;
    CHECK(isinf(f));
    return check_done();
}
