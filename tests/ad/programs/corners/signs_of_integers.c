// Integers where the sign of a number is taken or a number is tested: compilers take such functions for any type of number, so the conversion must stay in the text.
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double towards(const double *x, int end)
{
    int direction = x[0] < end ? 1 : -1;
    unsigned char steps = (unsigned char)(end & 3);
    return copysign(x[0] * x[1], direction) + copysign(x[1], steps) * x[2] + copysignf((float)x[2], (short)-end);
}

static double bounded(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double most = i - 2;
        sum += isfinite(most) && !isnan(most) && !isinf(most) ? x[i] * x[i] * most : 1;
        sum -= signbit(most) ? x[i] : sin(x[i]);
        sum += isnormal(most) ? 2 * x[i] : 0;
    }
    return sum;
}

static int check(const char *name, double (*f)(const double *, int), const double *reverse, const double *forward)
{
    double x[3] = {1.5, -0.75, 2.25};
    int bad = 0;
    for (int i = 0; i < 3; i++) {
        const double middle = x[i], h = 1e-3;
        x[i] = middle + h;
        double above = f(x, 3);
        x[i] = middle - h;
        double difference = (above - f(x, 3)) / (2 * h);
        x[i] = middle;
        if (!(fabs(reverse[i] - difference) < 2e-3) || !(fabs(reverse[i] - forward[i]) < 1e-12)) {
            printf("%s, %d: %g %g, not %g\n", name, i, reverse[i], forward[i], difference);
            bad = 1;
        }
    }
    return bad;
}

#define CHECK(f)                                                                                      \
    do {                                                                                              \
        double x[3] = {1.5, -0.75, 2.25}, reverse[3] = {0}, forward[3];                               \
        __enzyme_autodiff((void *)f, enzyme_dup, x, reverse, enzyme_const, 3);                        \
        for (int i = 0; i < 3; i++) {                                                                 \
            double d[3] = {i == 0, i == 1, i == 2};                                                   \
            forward[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, 3);              \
        }                                                                                             \
        bad |= check(#f, f, reverse, forward);                                                        \
    } while (0)

int main(void)
{
    int bad = 0;
    CHECK(towards);
    CHECK(bounded);
    return bad;
}
