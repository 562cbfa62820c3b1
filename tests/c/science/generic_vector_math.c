// flags: -lm
// Mixed precision through _Generic, compensated sums, float loop counters, short and char counters, multiplicative steps, two-index loops.
#include "../check.h"
#include <complex.h>
#include <math.h>
#include <stddef.h>

#define MAGNITUDE(x) _Generic((x), float: fabsf, double: fabs, float complex: cabsf, double complex: cabs, default: magnitude_of_int)(x)
static long magnitude_of_int(long x) { return x < 0 ? -x : x; }
#define SUM(type, name) \
    static type name(size_t n, const type x[n]) \
    { \
        type s = 0, c = 0; \
        for (const type *p = x, *const end = x + n; p != end;) { \
            volatile type y = *p++ - c, t = s + y; \
            c = (t - s) - y; \
            s = t; \
        } \
        return s; \
    }
SUM(float, sum_float)
SUM(double, sum_double)

static int counters(void)
{
    int n = 0;
    for (short s = 32760; s > 0 && s < 32767; s++)
        n += s & 3;
    for (signed char c = -3; c; c++)
        n += c;
    for (unsigned char c = 250; c >= 250; c++)
        n += c;
    for (unsigned k = 1; k; k <<= 1)
        n ^= (int)(k >> 3 & 0xff);
    for (long i = 1, j = 100; i < j; i *= 2, j -= 7)
        n += (int)(i + j);
    for (float x = 0; x < 1; x += 0.125f)
        n += (int)(x * 8);
    for (int i = 10; i; i /= 2)
        n = n * 3 + i;
    for (const char *p = "abc", *q = p + 2; p <= q; p++)
        n += *p;
    for (double h = 1; 1 + h > 1; h /= 2)
        n++;
    return n;
}
static double mixed(float a, int b, double c, long double d, unsigned char e)
{
    float f = a * b + e;
    double g = f / c + (float)c;
    g += (double)(d * (long double)0.5);
    f += g;
    b *= c;
    e += f;
    return f + b + e;
}
int main(void)
{
    float x[1000];
    double y[1000];
    for (int i = 0; i < 1000; i++)
        y[i] = x[i] = 0.1f * (i % 7);
    CHECK_NEAR(sum_float(1000, x), sum_double(1000, y), 1e-4);
    CHECK(MAGNITUDE(-2.5f) == 2.5f && MAGNITUDE(-3) == 3);
    CHECK_NEAR(MAGNITUDE(3.0 + 4.0 * I), 5, 1e-15);
    CHECK_NEAR(MAGNITUDE(3.0f + 4.0f * I), 5, 1e-6);
    printf("%d\n", counters());
    printf("%.4f\n", mixed(1.5f, 3, 2.25, 0.75L, 200));
    return check_done();
}
