/* Gradient and directional derivative of a function against central differences, twice, with the value before and after: state at file scope is as the primal leaves it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static int failures;

static inline int differs(double a, double b)
{
    return !(fabs(a - b) < 1e-5 * (1 + fabs(b)));
}

static inline void complain(const char *name, int n, int round, const char *what, double found, double expected)
{
    printf("%s, n = %d, round %d, %s: %g, not %g\n", name, n, round, what, found, expected);
    failures++;
}

#define CHECK(F, N)                                                                                                    \
    do {                                                                                                               \
        enum { most = 64 };                                                                                            \
        const int count = (N);                                                                                         \
        double x[most], bar[most], direction[most];                                                                    \
        for (int i = 0; i < count; i++) {                                                                              \
            x[i] = 0.3 + 0.11 * i - 0.013 * i * i;                                                                     \
            direction[i] = cos(1.7 * i + 0.2);                                                                         \
        }                                                                                                              \
        for (int round = 0; round < 2; round++) {                                                                      \
            memset(bar, 0, sizeof bar);                                                                                \
            const double value = F(x, count);                                                                          \
            __enzyme_autodiff((void *)F, enzyme_dup, x, bar, enzyme_const, count);                                     \
            if (F(x, count) != value)                                                                                  \
                complain(#F, count, round, "the value after the gradient", F(x, count), value);                        \
            const double tangent = __enzyme_fwddiff((void *)F, enzyme_dup, x, direction, enzyme_const, count);         \
            if (F(x, count) != value)                                                                                  \
                complain(#F, count, round, "the value after the tangent", F(x, count), value);                         \
            double expected = 0;                                                                                       \
            for (int i = 0; i < count; i++) {                                                                          \
                const double kept = x[i], step = 1e-6;                                                                 \
                x[i] = kept + step;                                                                                    \
                const double above = F(x, count);                                                                      \
                x[i] = kept - step;                                                                                    \
                const double below = F(x, count), difference = (above - below) / (2 * step);                           \
                x[i] = kept;                                                                                           \
                expected += difference * direction[i];                                                                 \
                if (differs(bar[i], difference))                                                                       \
                    complain(#F, count, round, "the gradient", bar[i], difference);                                    \
            }                                                                                                          \
            if (differs(tangent, expected))                                                                            \
                complain(#F, count, round, "the tangent", tangent, expected);                                          \
        }                                                                                                              \
    } while (0)
